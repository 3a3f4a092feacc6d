import { latestEnd, lifetimes } from '../../base/lifetimes.ts'
import { randomId } from '../../base/crypto/random.ts'
import { cache } from '#db/cache'
import { recordReplacedCookie } from './replaced-by-login.ts'
import { fingerprint, type Login, makeLogin, type LoginOptions } from './make-login.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'

/** What a browser gets once its user is identified: a login, or the name of one that waits for a code. */
export type Entered = { readonly login: Login } | { readonly waiting: string }

/**
 * Logs the browser in; if the account asks for a code, holds its login until then (spec: States, Session).
 */
export async function makeOrHold(
  app: App,
  tx: Tx,
  user: User,
  { browser, remember, tells }: LoginOptions,
): Promise<Entered> {
  if (user.twoFactorSecret === null)
    return { login: await makeLogin(app, tx, user, { browser, remember, tells }) }
  // In a row, since a cookie could be replayed after use (security rule 2); the session only names it.
  const waiting = randomId()
  const endsAt = new Date(app.now().getTime() + lifetimes.waitingLogin)
  const held = { userId: user.id, fingerprint: fingerprint(user.passwordHash), remember, tells }
  await Promise.all([
    cache.put(tx, { key: waitingKey(waiting), value: JSON.stringify(held), endsAt }),
    recordReplacedCookie(app, tx, browser.sessionName),
  ])
  return { waiting }
}

/** A login that waits for its code. */
export interface WaitingLogin {
  readonly userId: number
  /** Of the password hash at that time: a new password ends a waiting login, too. */
  readonly fingerprint: string
  readonly remember: boolean
  readonly tells: boolean
}

/** Returns the login that waits under this name; undefined if none does any more. */
export async function readWaiting(app: App, waiting: string): Promise<WaitingLogin | undefined> {
  return readHeld(await cache.get(app.db, entryOf(app, waiting)))
}

/** Takes the login waiting under this name, which ends its wait; of concurrent callers, only one gets it. */
export async function takeWaiting(
  app: App,
  tx: Tx,
  waiting: string,
): Promise<WaitingLogin | undefined> {
  return readHeld(await cache.take(tx, entryOf(app, waiting)))
}

/** Deletes the login that waits under this name. */
export async function dropWaiting(app: App, waiting: string): Promise<void> {
  await cache.take(app.db, entryOf(app, waiting))
}

/** Counts the user's logins that wait for a code. */
export function countWaiting(app: Pick<App, 'db' | 'now'>, userId: number): Promise<number> {
  return cache.countOfUser(app.db, { start: waitingKey(''), userId, now: app.now() })
}

/** Deletes the user's waiting logins. Returns how many there were. */
export function dropWaitingOfUser(app: Pick<App, 'now'>, tx: Tx, userId: number): Promise<number> {
  return cache.deleteOfUser(tx, { start: waitingKey(''), userId, now: app.now() })
}

function entryOf(app: App, waiting: string) {
  const now = app.now()
  return { key: waitingKey(waiting), now, latest: latestEnd(lifetimes.waitingLogin, now) }
}

function waitingKey(waiting: string): string {
  return `waiting-login:${waiting}`
}

function readHeld(value: string | undefined): WaitingLogin | undefined {
  // Only this file writes entries with such a key.
  return value === undefined ? undefined : (JSON.parse(value) as WaitingLogin)
}
