import { browserName } from './browser-name.ts'
import type { Lines } from '../../notification-lines.ts'

const removed = ', and your passkeys and API tokens were removed'

// oxfmt-ignore
export const lines: Lines = {
  'password-changed':    ({ keys }) => `Your password was changed${keys === 'removed' ? removed : ''}`,
  'password-set':        ({ keys }) => `A password was set for your account${keys === 'removed' ? removed : ''}`,
  'password-removed':    () => 'Your password was removed',
  'email-changed':       ({ email }) => `The email of your account was changed to ${email}`,
  'two-factor-disabled': () => 'Two-factor login was turned off',
  'passkey-added':       ({ name }) => `A passkey was added to your account: ${name}`,
  'token-created':       ({ name }) => `An API token was made for your account: ${name}`,
  'new-login':           (names) => `A new login, from ${browserName(names)}`,
  unknown:               () => 'Something in your account changed that this version has no words for',
}
