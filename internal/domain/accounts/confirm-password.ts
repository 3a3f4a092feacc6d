import { throttleAddress } from '../../base/network/address.ts'
import { clear, take, unlessBusy } from '../../services/throttle.ts'
import { asUser, type Ended } from '../logins/as-user.ts'
import { findVisit } from '../logins/check-login.ts'
import { confirmPasskey } from '../passkeys/confirm.ts'
import type { App } from '../../app.ts'
import type { Login } from '../logins/make-login.ts'
import type { PasskeyAnswer, PasskeyRefused } from '../passkeys/passkey-answer.ts'

export type Confirmation =
  | { result: 'wait'; seconds: number }
  | { result: 'wrong' }
  | Ended
  | { result: 'right' }

/** Checks that a logged-in user knows the password, counting the try first (spec: Confirm password). */
export async function confirmPassword(
  app: App,
  login: Login,
  { password, address }: { password: string; address: string },
): Promise<Confirmation> {
  const user = await findVisit(app.db, app, login)
  if (!user) return { result: 'ended' }
  const by = String(user.id)
  const seconds = await take(app, 'passwords', by)
  if (seconds !== undefined) return { result: 'wait', seconds }
  const { right } = await unlessBusy(app, 'passwords', by, () =>
    app.passwords.checkPassword(user.passwordHash, password, throttleAddress(address)),
  )
  if (!right) return { result: 'wrong' }
  // While the login stands, so does the password: another one would have ended the login.
  return asUser(app, login, async (tx) => {
    await clear(tx, 'passwords', by)
    return { result: 'right' }
  })
}

export type PasskeyConfirmation =
  | { result: 'wait'; seconds: number }
  | PasskeyRefused
  | Ended
  | { result: 'right' }

/** Checks one of the user's passkeys in place of the password. The try is counted with those of passwords. */
export async function confirmWithPasskey(
  app: App,
  login: Login,
  answer: PasskeyAnswer,
): Promise<PasskeyConfirmation> {
  const by = String(login.userId)
  const seconds = await take(app, 'passwords', by)
  if (seconds !== undefined) return { result: 'wait', seconds }
  return confirmPasskey(app, login, answer, (tx) => clear(tx, 'passwords', by))
}
