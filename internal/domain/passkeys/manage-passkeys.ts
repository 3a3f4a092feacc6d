import { passkeys } from '#db/passkeys'
import { asUser, type Ended } from '../logins/as-user.ts'
import type { App } from '../../app.ts'
import type { Login } from '../logins/make-login.ts'

/** The user has no passkey with this ID; when removing, it is not a removed one either. */
interface NoPasskey {
  readonly result: 'none'
}

export function renamePasskey(
  app: App,
  login: Login,
  { id, name }: { id: number; name: string },
): Promise<Ended | NoPasskey | { result: 'renamed' }> {
  return asUser(app, login, async (tx, { id: userId }) => {
    const isOwn = await passkeys.rename(tx, { userId, id, name })
    return { result: isOwn ? 'renamed' : 'none' }
  })
}

/** Removes one of the user's passkeys. `was removed`: it is already gone. `last`: it is the last way in. */
export function removePasskey(
  app: App,
  login: Login,
  id: number,
): Promise<Ended | NoPasskey | { result: 'removed' | 'was removed' | 'last' }> {
  return asUser(app, login, async (tx, { id: userId }) => {
    if (await passkeys.delete(tx, { userId, id })) return { result: 'removed' }
    const userPasskeys = await passkeys.ofUser(tx, userId)
    if (userPasskeys.some((passkey) => passkey.id === id)) return { result: 'last' }
    return { result: (await passkeys.isGone(tx, id)) ? 'was removed' : 'none' }
  })
}
