import { logins } from '#db/logins'
import { randomId } from '../../base/crypto/random.ts'
import { publish } from '../../services/events.ts'
import { asUser, type Ended } from './as-user.ts'
import { dropWaitingOfUser } from './hold-login.ts'
import { type Browser, type Login, loginKey } from './make-login.ts'
import { recordReplacedCookie } from './replaced-by-login.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'

/** Ends a login: from its next request on, the browser is a guest. */
export async function logOut(app: App, login: Login): Promise<Ended | { result: 'out' }> {
  return asUser(app, login, async (tx) => {
    await logins.delete(tx, loginKey(login.id))
    return { result: 'out' }
  })
}

/** Logs out another browser of the account; the one that asks gives `own`. */
export async function logOutOne(
  app: App,
  current: Login,
  key: Buffer,
): Promise<Ended | { result: 'own' | 'out' | 'was out' }> {
  if (key.equals(loginKey(current.id))) return { result: 'own' }
  return asUser(app, current, async (tx, { id: userId }) => {
    const isOut = await logins.deleteOne(tx, { userId, key })
    return { result: isOut ? 'out' : 'was out' }
  })
}

/**
 * Logs out every other browser of the account, and deletes its logins that wait for a code. This one's login gets
 * another ID: whoever copied its cookie is another browser, too.
 */
export async function logOutOthers(
  app: App,
  login: Login,
  browser: Pick<Browser, 'sessionName'>,
): Promise<Ended | { result: 'out'; login: Login }> {
  return asUser(app, login, async (tx, { id: userId }) => {
    const from = loginKey(login.id)
    await logins.deleteOthers(tx, { userId, key: from })
    await dropWaitingOfUser(app, tx, userId)
    const id = randomId()
    await logins.replaceKey(tx, { from, to: loginKey(id) })
    await recordReplacedCookie(app, tx, browser.sessionName)
    return { result: 'out', login: { ...login, id } }
  })
}

/** How many logins were ended, and how many were waiting for a code. */
export interface LoggedOut {
  readonly logins: number
  readonly waiting: number
}

/** Ends all logins of a user, and those waiting for a code; open pages are notified at once. */
export async function logOutAll(app: App, tx: Tx, userId: number): Promise<LoggedOut> {
  const ended = await logins.endOfUser(tx, { userId, now: app.now() })
  const waiting = await dropWaitingOfUser(app, tx, userId)
  // Makes open pages reload; otherwise they would notice only at their next request.
  await publish(app, tx, userId, 'notification')
  return { logins: ended, waiting }
}
