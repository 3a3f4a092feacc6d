import { twoFactor } from '../../db/two-factor.ts'
import { asUser, type Ended } from '../logins/as-user.ts'
import { dropWaitingOfUser } from '../logins/hold-login.ts'
import { notify, type Recipient } from '../notifications/notify.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { Login } from '../logins/make-login.ts'

/** Turns two-factor login off, deletes the secret and the recovery codes, and notifies the user. */
export function turnOff(
  app: App,
  login: Login,
): Promise<Ended | { result: 'off' } | { result: 'was off' }> {
  return asUser(app, login, async (tx, user) => {
    const wasOn = await turnOffFor(app, tx, user)
    return { result: wasOn ? 'off' : 'was off' }
  })
}

/** Turns two-factor login off for a locked account, and notifies the user. Returns false if it was off. */
export async function turnOffFor(app: App, tx: Tx, user: Recipient): Promise<boolean> {
  const wasOn = await twoFactor.turnOff(tx, user.id)
  if (!wasOn) return false
  // Otherwise waiting logins could be finished once two-factor login is turned on again.
  await dropWaitingOfUser(app, tx, user.id)
  await notify(app, tx, user, { kind: 'two-factor-disabled', data: {} })
  return true
}
