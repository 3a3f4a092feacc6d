import { tokens } from '#db/tokens'
import { users } from '#db/users'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { UsedToken } from '../../db/tokens.ts'
import type { User } from '../../db/users.ts'
import type { Ended } from '../logins/as-user.ts'

/**
 * Changes what is an account's for a program that calls with its token, as `asUser` does for whoever is logged in: in
 * one transaction with a look whether the token still stands, and who the user is by now (security rule 21). Every
 * change that a call of the API asks for goes through this, and is handed the token, never a user.
 */
export async function asCaller<Result>(
  app: App,
  token: UsedToken,
  work: (tx: Tx, user: User) => Promise<Result>,
): Promise<Result | Ended> {
  return app.db.transaction(async (tx) => {
    // A token is revoked under the same hold, so that it stands until this transaction ends.
    await users.hold(tx, token.id)
    const user = await tokens.use(tx, { hash: token.tokenHash, now: app.now() })
    return user ? work(tx, user) : { result: 'ended' }
  })
}
