import type { Call } from './api/call.ts'
import type { Context, UserContext } from './context.ts'

interface Failure {
  /** Whose login it was for, when there is such an account. */
  readonly user?: number | undefined
  /** What was wrong with the answer of a passkey. */
  readonly refusal?: string
}

/** The one line of a login that failed, which programs read: its message, reasons and order of facts stay as they are. */
export function logLoginFailed(c: Context, reason: string, { user, refusal }: Failure = {}): void {
  c.log.warn('login failed', { reason, ...(refusal && { refusal }), user, address: c.address })
}

/** The same for someone who is logged in, and did not show that it is them. */
export function logConfirmationFailed(c: UserContext, reason: string, refusal?: string): void {
  const user = c.visitor.user.id
  c.log.warn('confirmation failed', {
    reason,
    ...(refusal && { refusal }),
    address: c.address,
    user,
  })
}

/** The same for a form that did not come from a page of this site. */
export function logForeign(c: Context, why: string): void {
  c.log.warn('refused by origin', { why, user: c.visitor?.user.id, address: c.address })
}

/** The same for a call of the API that was turned away. */
export function logCallRefused(c: Call, why: string): void {
  const { token, user } = c.sender
  c.log.info('API call refused', { why, token, user, address: c.address })
}
