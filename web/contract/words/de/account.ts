import { plural } from '../plural.ts'
import type { account as en } from '../en/account.ts'
import type { Translated } from '../translated.ts'

/** An account at a glance, on the dashboard and the security page. */
export const account: Translated<typeof en> = {
  logIn: 'So melden Sie sich an',
  waysIn: (password, passkeys) => {
    if (passkeys === 0) return 'Mit Ihrem Passwort'
    if (!password) {
      return plural('de', passkeys, {
        one: 'Mit Ihrem Passkey',
        other: 'Mit einem Ihrer # Passkeys',
      })
    }
    return plural('de', passkeys, {
      one: 'Mit Ihrem Passwort oder Ihrem Passkey',
      other: 'Mit Ihrem Passwort oder einem Ihrer # Passkeys',
    })
  },
  twoFactor: 'Anmeldung in zwei Schritten',
  on: 'Ein',
  off: 'Aus',
}
