import type { Context } from '../context.ts'

/** Account events, by log message; programs read these, so they must not change. */
type PlainEvent =
  | 'logged out'
  | 'other browser logged out'
  | 'other browsers logged out'
  | 'email changed'
  | 'email verified'
  | 'reset asked'
  | 'password reset'
  | 'password set'
  | 'password changed'
  | 'password removed'
  | 'two-factor turned on'
  | 'two-factor turned off'
  | 'recovery codes made'
  | 'recovery codes saved'
  | 'photo changed'
  | 'photo removed'

/** Further facts of an event's log line. */
interface EventFacts {
  'account made': { how: How }
  'account deleted': { how: How }
  'logged in': { how: How }
  confirmed: { how: How }
  'passkey added': { passkey: number }
  'passkey renamed': { passkey: number }
  'passkey removed': { passkey: number }
  'token made': { token: number }
  'token revoked': { token: number }
}

/** How somebody logged in, confirmed who they are, made an account or deleted one. */
export type How = 'password' | 'code' | 'recovery code' | 'passkey' | 'link'

/** Logs an account event in one line: whose account, from which address, and no email or secret. */
export function logAccount<Event extends PlainEvent | keyof EventFacts>(
  c: Context,
  event: Event,
  user: number | undefined,
  ...[facts]: Event extends keyof EventFacts ? [EventFacts[Event]] : []
): void {
  c.log.info(event, { ...facts, user, address: c.address })
}
