import { randomId } from '../../base/random.ts'
import { cache } from '#db/cache'
import { fingerprint, type Login, logIn, type LoginMade } from './log-in.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'

/** A browser that has shown its password: it is logged in, or its login waits for a code. */
export type Entered = { readonly login: Login } | { readonly waiting: string }

const longestWait = 10 * 60 * 1000

/** Logs the browser in, or holds its login for the code of an account that asks for one (spec: States, Session). */
export async function enter(
  tx: Tx,
  app: App,
  user: User,
  { browser, remember, tells }: LoginMade,
): Promise<Entered> {
  if (user.twoFactorSecret === null)
    return { login: await logIn(tx, app, user, { browser, remember, tells }) }
  // A row, since a cookie could be sent again once its code is used (security rule 2); the session only names it.
  const waiting = randomId()
  const endsAt = new Date(app.now().getTime() + longestWait)
  // A new password ends a login that waits, too: the row knows the hash that was typed for.
  const held = { userId: user.id, fingerprint: fingerprint(user.passwordHash), remember, tells }
  await cache.put(tx, { key: `waiting-login:${waiting}`, value: JSON.stringify(held), endsAt })
  return { waiting }
}
