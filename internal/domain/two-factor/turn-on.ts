import { newRecoveryCodes } from '../../base/crypto/recovery-codes.ts'
import { stepOf } from '../../base/crypto/totp.ts'
import { withoutSeparators } from '../../base/text/typed-code.ts'
import { twoFactor } from '../../db/two-factor.ts'
import { asUser, type Ended } from '../logins/as-user.ts'
import { readCodes, sealCodes } from './codes.ts'
import { open, seal } from './sealed.ts'
import type { App } from '../../app.ts'
import type { Login } from '../logins/make-login.ts'

export type TurnedOn =
  | { result: 'wrong' }
  /** It was turned on before with another secret, which another authenticator app has. */
  | { result: 'on for another' }
  | Ended
  | { result: 'on' | 'already on'; codes: readonly string[] }

/**
 * Turns two-factor login on if the code proves that the user's authenticator app has the secret. `codes` are
 * the recovery codes to show (spec: States, Two-factor login).
 */
export async function turnOn(
  app: App,
  login: Login,
  { secret, code }: { secret: string; code: string },
): Promise<TurnedOn> {
  const step = stepOf(secret, withoutSeparators(code), app.now())
  if (step === undefined) return { result: 'wrong' }
  const id = login.userId
  const codes = newRecoveryCodes()
  // The code's step is stored too, so that the code typed here logs nobody in.
  const sealed = { secret: seal(app, 'totp', id, secret), codes: sealCodes(app, id, codes) }
  return asUser(app, login, async (tx, user) => {
    if (await twoFactor.turnOn(tx, { id, ...sealed, step })) return { result: 'on', codes }
    const { twoFactorSecret: current } = user
    if (current === null || open(app, 'totp', id, current) !== secret)
      return { result: 'on for another' }
    return { result: 'already on', codes: readCodes(app, user) }
  })
}
