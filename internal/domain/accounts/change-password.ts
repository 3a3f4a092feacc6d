import { throttleAddress } from '../../base/address.ts'
import { logins } from '#db/logins'
import { users } from '#db/users'
import { standing } from '../logins/find-user.ts'
import { type Browser, type Login, logIn } from '../logins/log-in.ts'
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
  /** Another change came first, or the browser was logged out: it has ended this login. */
  | { result: 'ended' }
  | { result: 'set'; isFirst: boolean; login: Login }

/**
 * Sets another password, or the first one of an account that has none and is asked for none. Every login of the
 * account ends, and this browser logs in again (spec: Settings).
 */
export async function changePassword(
  app: App,
  user: User,
  { current, password }: { current: string; password: string },
  asking: Asking,
): Promise<PasswordChange> {
  const { address } = asking.browser
  const isFirst = user.passwordHash === ''
  if (!isFirst) {
    const checked = await confirmPassword(app, user, { password: current, address })
    if (checked.result !== 'right') return checked
  }
  const to = await app.passwords.hashPassword(password, throttleAddress(address))
  return app.db.transaction(async (tx) => {
    // Hashing took a while: whoever logs others out must not find a first password set by one of them.
    const stands = await standing(tx, app, asking.login)
    const changed =
      stands && (await users.setPassword(tx, { id: user.id, from: user.passwordHash, to }))
    if (!changed) return { result: 'ended' }
    const kind = isFirst ? 'password-set' : 'password-changed'
    await notify(app, tx, changed, { kind, data: {} })
    return { result: 'set', isFirst, login: await logInAgain(app, tx, changed, asking) }
  })
}

export type PasswordRemoval =
  /** There is none. */
  | { result: 'none' }
  | { result: 'noPasskey' }
  | { result: 'ended' }
  | { result: 'removed'; login: Login }

/** Leaves an account that has a passkey without a password, and ends its logins as a new password does. */
export async function removePassword(
  app: App,
  user: User,
  asking: Asking,
): Promise<PasswordRemoval> {
  const { id, passwordHash: from } = user
  if (from === '') return { result: 'none' }
  return app.db.transaction(async (tx) => {
    const changed = await users.removePassword(tx, { id, from })
    if (!changed) {
      const now = await users.byId(tx, id)
      return { result: now?.passwordHash === from ? 'noPasskey' : 'ended' }
    }
    await notify(app, tx, changed, { kind: 'password-removed', data: {} })
    return { result: 'removed', login: await logInAgain(app, tx, changed, asking) }
  })
}

async function logInAgain(app: App, tx: Tx, user: User, asking: Asking): Promise<Login> {
  await logins.deleteOfUser(tx, user.id)
  const { browser, login } = asking
  return logIn(tx, app, user, { browser, remember: login.remember, tells: false })
}
