import { mostLogins } from '../../../web/contract/limits.ts'
import { logins } from '#db/logins'
import { browserOf, type BrowserNames, deviceOf } from '../../base/network/browser.ts'
import { type Login, loginKey } from './make-login.ts'
import type { Device } from '../../../web/contract/pages.ts'
import type { App } from '../../app.ts'
import type { LoginRow } from '../../db/logins.ts'

/** A browser that an account is logged in from. */
export interface LoggedIn extends Omit<LoginRow, 'key'> {
  /** Hex of the row's key. */
  readonly id: string
  readonly names: BrowserNames
  readonly device: Device | null
  /** Whether it is the browser that asks. */
  readonly isCurrent: boolean
}

/**
 * Lists the browsers the account is logged in from: first the one that asks, then the most recently seen
 * (spec: Login). `areMore`: the list is cut off.
 */
export async function listLogins(
  app: App,
  { id, userId }: Login,
): Promise<{ list: LoggedIn[]; areMore: boolean }> {
  const first = loginKey(id)
  const mostListed = 1 + mostLogins
  const rows = await logins.ofUser(app.db, { userId, now: app.now(), first, most: mostListed + 1 })
  const list = rows.slice(0, mostListed).map(({ key, ...row }) => ({
    ...row,
    id: key.toString('hex'),
    names: browserOf(row.userAgent),
    device: deviceOf(row.userAgent),
    isCurrent: key.equals(first),
  }))
  return { list, areMore: rows.length > list.length }
}
