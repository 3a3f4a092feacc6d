import { throttleAddress } from '../../base/network/address.ts'
import { emailKey } from '../../base/email.ts'
import { HashesBusy } from '../../base/password/hash-queue.ts'
import { logins } from '#db/logins'
import { users } from '#db/users'
import { clear, take, unlessBusy } from '../../services/throttle.ts'
import { makeOrHold, type Entered } from '../logins/hold-login.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'
import type { Browser } from '../logins/make-login.ts'

export interface Credentials {
  readonly email: string
  readonly password: string
  readonly remember: boolean
}

export type LoginTry =
  | { result: 'wait'; seconds: number }
  | { result: 'wrong' }
  | { result: 'right'; entered: Entered }

type Check = { result: 'wrong' } | { result: 'right'; user: User; stale: boolean }

/** Logs a browser in with email and password, counting the try first (spec: Login and logout). */
export async function logInWithPassword(
  app: App,
  credentials: Credentials,
  browser: Browser,
): Promise<LoginTry> {
  const address = throttleAddress(browser.address)
  const by = `${emailKey(credentials.email)}\n${address}`
  const seconds = await take(app, 'logins', by)
  if (seconds !== undefined) return { result: 'wait', seconds }
  return unlessBusy(app, 'logins', by, () =>
    attemptTwice(app, credentials, { address, by, browser }),
  )
}

async function attemptTwice(
  app: App,
  credentials: Credentials,
  attempt: Attempt,
): Promise<LoginTry> {
  const first = await attemptOnce(app, credentials, attempt)
  if (first !== 'changed') return first
  // Another login has just rehashed the same password, or the password was changed.
  const second = await attemptOnce(app, credentials, attempt)
  return second === 'changed' ? { result: 'wrong' } : second
}

interface Attempt {
  readonly address: string
  /** The key under which the try was counted. */
  readonly by: string
  readonly browser: Browser
}

async function attemptOnce(
  app: App,
  credentials: Credentials,
  { address, by, browser }: Attempt,
): Promise<LoginTry | 'changed'> {
  const checked = await checkPassword(app, credentials, address)
  if (checked.result === 'wrong') return checked
  const rehashed = checked.stale ? await rehash(app, credentials.password, address) : undefined
  return app.db.transaction(async (tx) => {
    const user = await stillRight(tx, checked.user, rehashed)
    if (!user) return 'changed'
    const { remember } = credentials
    // Sent together, so that a remote database is waited for only once.
    const [entered] = await Promise.all([
      makeOrHold(app, tx, user, { browser, remember, tells: true }),
      clear(tx, 'logins', by),
    ])
    return { result: 'right', entered }
  })
}

/** Hashes the password with current settings; undefined if too many hashes wait: a later login can do it. */
async function rehash(app: App, password: string, address: string): Promise<string | undefined> {
  try {
    return await app.passwords.hashPassword(password, address)
  } catch (error) {
    if (error instanceof HashesBusy) return undefined
    throw error
  }
}

async function checkPassword(
  app: App,
  { email, password }: Credentials,
  address: string,
): Promise<Check> {
  const user = await users.byEmailKey(app.db, emailKey(email))
  // An empty hash is checked against a decoy: an unknown email takes as long and gets the same answer.
  const { right, stale } = await app.passwords.checkPassword(
    user?.passwordHash ?? '',
    password,
    address,
  )
  return user && right ? { result: 'right', user, stale } : { result: 'wrong' }
}

/** Returns the current user, on the new hash if there is one; undefined if the password has just changed. */
async function stillRight(tx: Tx, user: User, rehashed: string | undefined) {
  const current = await users.hold(tx, user.id)
  if (current?.passwordHash !== user.passwordHash) return undefined
  if (rehashed === undefined) return current
  if (!(await users.rehash(tx, { id: user.id, from: user.passwordHash, to: rehashed })))
    return undefined
  await logins.deleteOfUser(tx, user.id)
  return { ...current, passwordHash: rehashed }
}
