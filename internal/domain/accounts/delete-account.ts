import { users } from '#db/users'
import { dropPhoto } from '../photos/drop-photo.ts'
import { confirmPassword } from './confirm-password.ts'
import type { App } from '../../app.ts'
import type { User } from '../../db/users.ts'

export type Deletion =
  | { result: 'wait'; seconds: number }
  | { result: 'wrong' }
  /** The password has changed since, or the account was deleted already: this login has ended. */
  | { result: 'ended' }
  | { result: 'deleted' }

/**
 * Deletes an account with all that is its own, once the password was typed once more (spec: Settings). No password
 * is right for an account that has none.
 */
export async function deleteAccount(
  app: App,
  user: User,
  proof: { password: string; address: string },
): Promise<Deletion> {
  const checked = await confirmPassword(app, user, proof)
  if (checked.result !== 'right') return checked
  return app.db.transaction(async (tx) => {
    const gone = await users.delete(tx, { id: user.id, from: user.passwordHash })
    if (!gone) return { result: 'ended' }
    await dropPhoto(app, tx, gone.photo)
    return { result: 'deleted' }
  })
}
