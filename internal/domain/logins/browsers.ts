import { logins } from '#db/logins'
import { browserOf, type BrowserNames } from '../../base/browser.ts'
import { type Login, loginKey } from './log-in.ts'
import type { App } from '../../app.ts'
import type { Login as LoginRow } from '../../db/logins.ts'

/** A browser that an account is logged in from. */
export interface LoggedIn extends Omit<LoginRow, 'key'> {
  /** Hex of the row's key. */
  readonly id: string
  readonly names: BrowserNames
  /** Whether it is the browser that asks. */
  readonly isCurrent: boolean
}

// Whoever has a script log in by the thousand is not to have each of them read and drawn.
const most = 100

/** The browsers the account is logged in from: the one that asks, then the last ones seen (spec: Login). */
export async function listLogins(app: App, { id, userId }: Login): Promise<LoggedIn[]> {
  const first = loginKey(id)
  const rows = await logins.ofUser(app.db, { userId, now: app.now(), first, most })
  return rows.map(({ key, ...row }) => ({
    ...row,
    id: key.toString('hex'),
    names: browserOf(row.userAgent),
    isCurrent: key.equals(first),
  }))
}

/** Logs another browser of the account out. False when it is the one that asks. */
export async function logOutOne(app: App, current: Login, id: Buffer): Promise<boolean> {
  if (id.equals(loginKey(current.id))) return false
  await app.db.transaction((tx) => logins.deleteOne(tx, { userId: current.userId, key: id }))
  return true
}

/** Logs every browser of the account out but the one that asks. */
export async function logOutOthers(app: App, { userId, id }: Login): Promise<void> {
  await app.db.transaction((tx) => logins.deleteOthers(tx, { userId, key: loginKey(id) }))
}
