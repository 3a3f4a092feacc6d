import { isolated } from '../isolated.ts'
import { browserName } from './format/browser-name.ts'
import type { Lines } from '../../notification-lines.ts'

// oxfmt-ignore
export const lines: Lines = {
  'password-changed':    ({ keys }) => keys === 'removed'
    ? 'Your password was changed, and your passkeys and API tokens were removed'
    : 'Your password was changed',
  'password-set':        ({ keys }) => keys === 'removed'
    ? 'A password was set for your account, and your passkeys and API tokens were removed'
    : 'A password was set for your account',
  'password-removed':    () => 'Your password was removed',
  'email-changed':       ({ email }) => `The email of your account was changed to ${isolated(email)}`,
  'two-factor-disabled': () => 'Two-factor login was turned off',
  'passkey-added':       ({ name }) => `A passkey was added to your account: ${isolated(name)}`,
  'token-created':       ({ name }) => `An API token was made for your account: ${isolated(name)}`,
  'new-login':           (names) => `A new login, from ${browserName(names)}`,
  unknown:               () => 'Something in your account changed that this version has no words for',
}
