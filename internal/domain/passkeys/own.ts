import { passkeys } from '#db/passkeys'
import type { App } from '../../app.ts'

interface One {
  readonly userId: number
  readonly id: number
}

/** Gives one of the user's passkeys another name. False when the user has none of this ID. */
export function renamePasskey(app: App, passkey: One & { name: string }): Promise<boolean> {
  return passkeys.rename(app.db, passkey)
}

/** Removes one of the user's passkeys, and says so of one that is gone. False when it is the last way in. */
export function removePasskey(app: App, { userId, id }: One): Promise<boolean> {
  return app.db.transaction(async (tx) => {
    if (await passkeys.delete(tx, { userId, id })) return true
    const own = await passkeys.ofUser(tx, userId)
    return own.every((passkey) => passkey.id !== id)
  })
}
