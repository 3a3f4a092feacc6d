import type { Call } from '../api/call.ts'
import type { Context, UserContext } from '../context.ts'

interface Failure {
  /** The user whose login was tried, if there is such an account. */
  readonly user?: number
  /** What was wrong with a passkey's answer. */
  readonly refusal?: string
}

/** Logs a failed login in one line. Programs read it: message, reasons and order of facts must not change. */
export function logLoginFailed(c: Context, reason: string, { user, refusal }: Failure = {}): void {
  c.log.warn('login failed', { reason, ...(refusal && { refusal }), user, address: c.address })
}

/** Logs a user's failed confirmation in one line. Programs read it, too. */
export function logConfirmationFailed(c: UserContext, reason: string, refusal?: string): void {
  const user = c.visitor.user.id
  c.log.warn('confirmation failed', {
    reason,
    ...(refusal && { refusal }),
    address: c.address,
    user,
  })
}

/** Logs a form that no page of this site sent, in one line. Programs read it, too. */
export function logForeign(c: Context, why: string): void {
  c.log.warn('refused by origin', { why, user: c.visitor?.user.id, address: c.address })
}

/** Logs a refused API call in one line. Programs read it, too. */
export function logCallRefused(c: Call, why: string): void {
  const { token, user } = c.sender
  c.log.info('API call refused', { why, token, user, address: c.address })
}
