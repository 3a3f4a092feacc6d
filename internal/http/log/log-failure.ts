import type { Call } from '../api/call.ts'
import type { Context, UserContext } from '../context.ts'

interface Failure {
  /** Whose login it was for, when there is such an account. */
  readonly user?: number
  /** What was wrong with the answer of a passkey. */
  readonly refusal?: string
}

/** The one line of a login that failed, which programs read: its message, reasons and order of facts stay as they are. */
export function logLoginFailed(c: Context, reason: string, { user, refusal }: Failure = {}): void {
  c.log.warn('login failed', { reason, ...(refusal && { refusal }), user, address: c.address })
}

/** The one line of a confirmation that failed: a user did not show that it is them. Programs read it, too. */
export function logConfirmationFailed(c: UserContext, reason: string, refusal?: string): void {
  const user = c.visitor.user.id
  c.log.warn('confirmation failed', {
    reason,
    ...(refusal && { refusal }),
    address: c.address,
    user,
  })
}

/** The one line of a form that no page of this site sent. Programs read it, too. */
export function logForeign(c: Context, why: string): void {
  c.log.warn('refused by origin', { why, user: c.visitor?.user.id, address: c.address })
}

/** The one line of a call of the API that was turned away. Programs read it, too. */
export function logCallRefused(c: Call, why: string): void {
  const { token, user } = c.sender
  c.log.info('API call refused', { why, token, user, address: c.address })
}
