import { users } from '#db/users'
import { findVisit } from './check-login.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'
import type { Login } from './make-login.ts'

/**
 * Nothing was changed: the token is over, or the login is, by a logout elsewhere, a new password or the account's end.
 */
export interface Ended {
  readonly result: 'ended'
}

/**
 * Changes an account for whoever is logged in to it, in one transaction with a look whether they still are, and who
 * they are by now: what a request saw as it came may be over (security rule 21). Every change of an account that a
 * person asks for goes through this, and is handed the login, never a user.
 */
export async function asUser<Result>(
  app: App,
  login: Login,
  work: (tx: Tx, user: User) => Promise<Result>,
): Promise<Result | Ended> {
  return app.db.transaction(async (tx) => {
    // Holds the account: what is looked up or counted of it here does not change before the transaction ends.
    await users.hold(tx, login.userId)
    const user = await findVisit(tx, app, login)
    return user ? work(tx, user) : { result: 'ended' }
  })
}
