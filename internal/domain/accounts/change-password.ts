import { throttleAddress } from '../../base/network/address.ts'
import { logins } from '#db/logins'
import { users } from '#db/users'
import { asUser, type Ended } from '../logins/as-user.ts'
import { findVisit } from '../logins/check-login.ts'
import { type Browser, type Login, makeLogin } from '../logins/make-login.ts'
import { notify } from '../notifications/notify.ts'
import { confirmPassword } from './confirm-password.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'

/** The browser that asks, and its login. */
export interface Asking {
  readonly browser: Browser
  readonly login: Login
}

export type PasswordChange =
  | { result: 'wait'; seconds: number }
  | { result: 'wrong' }
  | Ended
  | { result: 'set'; isFirst: boolean; login: Login }

/**
 * Sets a new password, or the first one of an account that has none, which needs no current one. Ends every
 * login of the account, and logs this browser in again (spec: Settings).
 */
export async function changePassword(
  app: App,
  { current, password }: { current: string; password: string },
  asking: Asking,
): Promise<PasswordChange> {
  const { address } = asking.browser
  const user = await findVisit(app.db, app, asking.login)
  if (!user) return { result: 'ended' }
  // While the login stands, the password is the one that it was made with.
  const isFirst = user.passwordHash === ''
  if (!isFirst) {
    const checked = await confirmPassword(app, asking.login, { password: current, address })
    if (checked.result !== 'right') return checked
  }
  const newHash = await app.passwords.hashPassword(password, throttleAddress(address))
  return asUser(app, asking.login, async (tx, { id, passwordHash: from }) => {
    const changed = await users.setPassword(tx, { id, from, to: newHash })
    if (!changed) return { result: 'ended' }
    const kind = isFirst ? 'password-set' : 'password-changed'
    await notify(app, tx, changed, { kind, data: { keys: 'kept' } })
    return { result: 'set', isFirst, login: await makeLoginAgain(app, tx, changed, asking) }
  })
}

export type PasswordRemoval =
  /** The account has no password. */
  { result: 'none' } | { result: 'noPasskey' } | Ended | { result: 'removed'; login: Login }

/** Removes the password of an account that has a passkey, and ends its logins as a new password does. */
export async function removePassword(app: App, asking: Asking): Promise<PasswordRemoval> {
  return asUser(app, asking.login, async (tx, { id, passwordHash: from }) => {
    if (from === '') return { result: 'none' }
    const changed = await users.removePassword(tx, { id, from })
    if (!changed) return { result: 'noPasskey' }
    await notify(app, tx, changed, { kind: 'password-removed', data: {} })
    return { result: 'removed', login: await makeLoginAgain(app, tx, changed, asking) }
  })
}

async function makeLoginAgain(app: App, tx: Tx, user: User, asking: Asking): Promise<Login> {
  await logins.deleteOfUser(tx, user.id)
  const { browser, login } = asking
  return makeLogin(app, tx, user, { browser, remember: login.remember, tells: false })
}
