import { users } from '#db/users'
import { dropPhoto } from './drop-photo.ts'
import type { App } from '../../app.ts'

/** Takes a user's photo away, if there is one. */
export async function removePhoto(app: App, userId: number): Promise<void> {
  await app.db.transaction(async (tx) => {
    const user = await users.byId(tx, userId)
    if (!user?.photo) return
    await users.setPhoto(tx, { id: userId, photo: null })
    await dropPhoto(app, tx, user.photo)
  })
}
