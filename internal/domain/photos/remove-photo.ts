import { users } from '#db/users'
import { asUser, type Ended } from '../logins/as-user.ts'
import { dropPhoto } from './drop-photo.ts'
import type { App } from '../../app.ts'
import type { Login } from '../logins/make-login.ts'

/** Removes a user's photo. `none`: there is none any more. */
export async function removePhoto(
  app: App,
  login: Login,
): Promise<Ended | { result: 'removed' | 'none' }> {
  return asUser(app, login, async (tx, { id, photo }) => {
    if (photo === null) return { result: 'none' }
    await users.setPhoto(tx, { id, photo: null })
    await dropPhoto(app, tx, photo)
    return { result: 'removed' }
  })
}
