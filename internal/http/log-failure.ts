import type { Context } from './context.ts'

/** The one line of a login that failed, which programs read: its message, reasons and order of facts stay as they are. */
export function logLoginFailed(c: Context, reason: string, refusal?: string): void {
  c.log.warn('login failed', { reason, ...(refusal && { refusal }), address: c.address })
}

/** The same for someone who is logged in, and did not show that it is them. */
export function logConfirmationFailed(c: Context, reason: string, refusal?: string): void {
  const user = c.visitor?.user.id
  c.log.warn('confirmation failed', {
    reason,
    ...(refusal && { refusal }),
    address: c.address,
    user,
  })
}
