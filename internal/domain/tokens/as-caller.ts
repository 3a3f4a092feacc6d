import { tokens } from '#db/tokens'
import { users } from '#db/users'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { UsedToken } from '../../db/tokens.ts'
import type { User } from '../../db/users.ts'
import type { Ended } from '../logins/as-user.ts'

/**
 * Changes an account for a program that calls with its token, as `asUser` does for a login: in one
 * transaction that checks that the token is still valid and reads the user afresh (security rule 21). Every
 * change that an API call asks for goes through this and takes the token, never a user.
 */
export async function asCaller<Result>(
  app: App,
  token: UsedToken,
  work: (tx: Tx, user: User) => Promise<Result>,
): Promise<Result | Ended> {
  return app.db.transaction(async (tx) => {
    // Revoking a token takes the same lock, so it stays valid until this transaction ends.
    await users.hold(tx, token.id)
    const user = await tokens.use(tx, { hash: token.tokenHash, now: app.now() })
    return user ? work(tx, user) : { result: 'ended' }
  })
}
