import type { Facts } from '../base/log.ts'
import type { Context } from './context.ts'

/** What somebody did with an account: the messages of lines that programs read, so that they stay as they are. */
type AccountEvent =
  | 'account made'
  | 'account deleted'
  | 'logged in'
  | 'logged out'
  | 'other browser logged out'
  | 'other browsers logged out'
  | 'confirmed'
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
  | 'passkey added'
  | 'passkey renamed'
  | 'passkey removed'
  | 'token made'
  | 'token revoked'
  | 'photo changed'
  | 'photo removed'

/** By what a login was made, or somebody showed that it is them. */
export type How = 'password' | 'code' | 'recovery code' | 'passkey' | 'link'

/** The one line of an account's event: whose account it is, from where, and no email or secret. */
export function logAccount(
  c: Context,
  event: AccountEvent,
  user: number | undefined,
  facts: Facts = {},
): void {
  c.log.info(event, { ...facts, user, address: c.address })
}
