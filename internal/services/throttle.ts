import { sha256 } from '../base/crypto/random.ts'
import { HashesBusy } from '../base/password/hash-queue.ts'
import { throttles as rows } from '#db/throttles'
import type { App } from '../app.ts'
import type { Db, Tx } from '../db/db.ts'

/** The tries allowed per window of so many seconds (spec: Throttles; security rule 14; README: Throttles). */
// oxfmt-ignore
export const throttles = {
  logins:               { limit: 5,   seconds: 60 },
  registrations:        { limit: 30,  seconds: 60 },
  passwords:            { limit: 5,   seconds: 60 },
  codes:                { limit: 5,   seconds: 60 },
  'failed-codes':       { limit: 100, seconds: 24 * 60 * 60 },
  'email-changes':      { limit: 5,   seconds: 60 },
  mails:                { limit: 1,   seconds: 60 },
  'verification-links': { limit: 1,   seconds: 60 },
  'reset-asks':         { limit: 5,   seconds: 60 },
  'registration-asks':  { limit: 5,   seconds: 60 },
  'csp-reports':        { limit: 60,  seconds: 60 },
  uploads:              { limit: 10,  seconds: 60 },
  // Each request stores a row of some 200 bytes for five minutes: at most 300 KB per address, which a school
  // may share.
  'passkey-options':    { limit: 300, seconds: 60 },
  'api-requests':       { limit: 60,  seconds: 60 },
  'new-tokens':         { limit: 30,  seconds: 60 },
  'unproven-notices':   { limit: 1,   seconds: 60 },
  'unproven-a-day':     { limit: 10,  seconds: 24 * 60 * 60 },
} as const

export type ThrottleName = keyof typeof throttles

/** The limit of a window, and what is left of it. */
export interface Rate {
  readonly limit: number
  readonly remaining: number
  /** Seconds to wait, if there were too many tries. */
  readonly wait: number | undefined
  /** When the next try is allowed: now, unless the window is used up. */
  readonly next: Date
}

/**
 * Counts a try, and returns the seconds to wait if there were too many. `db`: the transaction that the try is
 * part of.
 */
export async function take(
  app: App,
  name: ThrottleName,
  by: string,
  db: Db = app.db.unsynced,
): Promise<number | undefined> {
  return (await takeRate(app, name, by, db)).wait
}

/** Counts a try, and returns how many more the window allows. */
export async function takeRate(
  app: App,
  name: ThrottleName,
  by: string,
  db: Db = app.db.unsynced,
): Promise<Rate> {
  const { limit, seconds } = throttles[name]
  const now = app.now()
  const endsAt = new Date(now.getTime() + seconds * 1000)
  const counted = await rows.take(db, { key: throttleKey(name, by), now, endsAt })
  const secondsLeft = Math.max(1, Math.ceil((counted.endsAt.getTime() - now.getTime()) / 1000))
  const wait = counted.tries > limit ? secondsLeft : undefined
  const next = counted.tries < limit ? now : counted.endsAt
  return { limit, remaining: Math.max(0, limit - counted.tries), wait, next }
}

/** Returns when the next try is allowed, without counting one: now, or once the window is over. */
export async function nextTry(app: App, name: ThrottleName, by: string): Promise<Date> {
  const { limit, seconds } = throttles[name]
  const now = app.now()
  const key = throttleKey(name, by)
  const counted = await rows.find(app.db, key)
  if (!counted || counted.tries < limit || counted.endsAt <= now) return now
  const latest = new Date(now.getTime() + seconds * 1000)
  if (counted.endsAt <= latest) return counted.endsAt
  // The clock was set back: nobody waits longer than a window. Its end is stored, so that the wait runs down.
  const bounded = rows.move(app.db.unsynced, { key, endsAt: latest })
  app.background('window of a throttle bounded', bounded)
  return latest
}

/**
 * Reserves the next free time slot for something done once a window for each of the keys `bys`: now, or after
 * the last one's window. While a reserved slot is still to come, every caller gets the same one, since the
 * work is done then anyway.
 */
export async function reserve(
  app: App,
  tx: Tx,
  name: ThrottleName,
  bys: readonly string[],
): Promise<Date> {
  const length = throttles[name].seconds * 1000
  const now = app.now()
  const endsAt = new Date(now.getTime() + length)
  // A reserved slot's window ends one window length after the slot.
  const latest = new Date(now.getTime() + 2 * length)
  const keys = bys.map((by) => throttleKey(name, by))
  let at = now.getTime()
  for (const key of keys) {
    const counted = await rows.take(tx, { key, now, endsAt, latest })
    const end = counted.endsAt.getTime()
    if (counted.tries > 1) at = Math.max(at, counted.endsAt > endsAt ? end - length : end)
  }
  for (const key of keys) await rows.move(tx, { key, endsAt: new Date(at + length) })
  return new Date(at)
}

/** Clears the tries, as after a successful login. */
export async function clear(tx: Tx, name: ThrottleName, by: string): Promise<void> {
  await rows.clear(tx, throttleKey(name, by))
}

/**
 * Runs the work that a try was counted for. If it is refused because too many hashes wait, the try is given
 * back: a flood must not use up the tries of somebody who knows the password.
 */
export async function unlessBusy<Result>(
  app: App,
  name: ThrottleName,
  by: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof HashesBusy) await app.db.transaction((tx) => giveBack(app, tx, name, by))
    throw error
  }
}

/** Gives back a try that does not count, such as a right code among failed ones. */
export async function giveBack(app: App, tx: Tx, name: ThrottleName, by: string): Promise<void> {
  await rows.giveBack(tx, { key: throttleKey(name, by), now: app.now() })
}

// A hash, so that the table keeps no email or address.
function throttleKey(name: ThrottleName, by: string): Buffer {
  return sha256(`${name}\n${by}`)
}
