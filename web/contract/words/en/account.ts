import { plural } from '../plural.ts'

/** An account at a glance, on the dashboard and the security page. */
export const account = {
  logIn: 'You log in with',
  /** An account has a password, a passkey or both. */
  waysIn: (password: boolean, passkeys: number) => {
    if (passkeys === 0) return 'Your password'
    if (!password) return plural('en', passkeys, { one: 'A passkey', other: '# passkeys' })
    return plural('en', passkeys, {
      one: 'Your password or a passkey',
      other: 'Your password or one of # passkeys',
    })
  },
  twoFactor: 'Two-factor login',
  on: 'On',
  off: 'Off',
} as const
