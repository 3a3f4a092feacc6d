import { twoFactor } from '../../db/two-factor.ts'
import { asUser, type Ended } from '../logins/as-user.ts'
import { dropWaiting } from '../logins/hold-login.ts'
import { notify, type Recipient } from '../notifications/notify.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { Login } from '../logins/make-login.ts'

/** Has login ask for no code any more, forgets secret and recovery codes, and tells the user. */
export function turnOff(
  app: App,
  login: Login,
): Promise<Ended | { result: 'off' } | { result: 'was off' }> {
  return asUser(app, login, async (tx, user) => {
    const wasOn = await turnOffFor(app, tx, user)
    return { result: wasOn ? 'off' : 'was off' }
  })
}

/** The same for an administrator. False when it was off. */
export async function turnOffFor(app: App, tx: Tx, user: Recipient): Promise<boolean> {
  const wasOn = await twoFactor.turnOff(tx, user.id)
  if (!wasOn) return false
  // Turned on again, it would let those in that waited before.
  await dropWaiting(app, tx, user.id)
  await notify(app, tx, user, { kind: 'two-factor-disabled', data: {} })
  return true
}
