import { users } from '#db/users'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'

/**
 * Changes an account for an administrator, in a transaction that locks it and reads it afresh, waiting for a
 * login that is being made. Returns undefined if the account is gone.
 */
export function asAdministrator<Result>(
  app: App,
  userId: number,
  work: (tx: Tx, user: User) => Promise<Result>,
): Promise<Result | undefined> {
  return app.db.transaction(async (tx) => {
    const user = await users.hold(tx, userId)
    return user && work(tx, user)
  })
}
