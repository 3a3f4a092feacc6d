import { logins } from '#db/logins'
import { publish } from '../../services/events.ts'
import { dropWaiting } from './hold-login.ts'
import { type Login, loginKey } from './make-login.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'

/** Ends a login: its browser is a guest's from its next request on. */
export async function logOut(tx: Tx, login: Login): Promise<void> {
  await logins.delete(tx, loginKey(login.id))
}

/** How many logins ended, and how many waited for a code. */
export interface LoggedOut {
  readonly logins: number
  readonly waiting: number
}

/** Ends every login of a user, and those that wait for their code; open pages find out at once. */
export async function logOutAll(app: App, tx: Tx, userId: number): Promise<LoggedOut> {
  const ended = await logins.endOfUser(tx, { userId, now: app.now() })
  const waiting = await dropWaiting(tx, app, userId)
  // It has them reload, and nothing else tells them before their next request.
  await publish(app, tx, userId, 'notification')
  return { logins: ended, waiting }
}
