import { users } from '#db/users'
import { dropPhoto } from '../photos/drop-photo.ts'
import { confirmPassword, confirmWithPasskey } from './confirm-password.ts'
import type { App } from '../../app.ts'
import type { User } from '../../db/users.ts'
import type { Given, Refused } from '../passkeys/given.ts'

export type Deletion =
  | { result: 'wait'; seconds: number }
  | { result: 'wrong' }
  | Refused
  /** The password has changed since, or the account was deleted already: this login has ended. */
  | { result: 'ended' }
  | { result: 'deleted' }

/**
 * Deletes an account with all that is its own, once the password was typed once more; an account that has none takes
 * the answer of a passkey in its place (spec: Settings).
 */
export async function deleteAccount(
  app: App,
  user: User,
  proof: { password: string; address: string } & Given,
): Promise<Deletion> {
  const confirm = user.passwordHash === '' ? confirmWithPasskey : confirmPassword
  const checked = await confirm(app, user, proof)
  if (checked.result !== 'right') return checked
  return app.db.transaction(async (tx) => {
    const gone = await users.delete(tx, { id: user.id, from: user.passwordHash })
    if (!gone) return { result: 'ended' }
    await dropPhoto(app, tx, gone.photo)
    return { result: 'deleted' }
  })
}
