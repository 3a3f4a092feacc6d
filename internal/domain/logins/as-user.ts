import { users } from '#db/users'
import { findVisit } from './check-login.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'
import type { Login } from './make-login.ts'

/**
 * Nothing was changed: the token is no longer valid, or the login ended by a logout elsewhere, a new password
 * or the account's deletion.
 */
export interface Ended {
  readonly result: 'ended'
}

/**
 * Changes an account for its logged-in user, in one transaction that checks that the login still stands and
 * reads the user afresh: what the request read on arrival may be outdated (security rule 21). Every account
 * change that a person asks for goes through this and takes the login, never a user.
 */
export async function asUser<Result>(
  app: App,
  login: Login,
  work: (tx: Tx, user: User) => Promise<Result>,
): Promise<Result | Ended> {
  return app.db.transaction(async (tx) => {
    // Locks the account: what is read or counted of it here does not change before the transaction ends.
    await users.hold(tx, login.userId)
    const user = await findVisit(tx, app, login)
    return user ? work(tx, user) : { result: 'ended' }
  })
}
