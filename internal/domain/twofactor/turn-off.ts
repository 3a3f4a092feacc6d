import { twoFactor } from '#db/two-factor'
import { notify } from '../notifications/notify.ts'
import type { App } from '../../app.ts'
import type { User } from '../../db/users.ts'

/** Has login ask for no code any more, forgets secret and recovery codes, and tells the user. False when it was off. */
export async function turnOff(
  app: App,
  user: Pick<User, 'id' | 'name' | 'email'>,
): Promise<boolean> {
  return app.db.transaction(async (tx) => {
    const wasOn = await twoFactor.turnOff(tx, user.id)
    if (wasOn) await notify(app, tx, user, { kind: 'two-factor-disabled', data: {} })
    return wasOn
  })
}
