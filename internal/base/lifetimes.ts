import { notificationDays, rememberedDays } from '../../web/contract/limits.ts'
import { day, hour, minute } from './time-units.ts'

/** Lifetimes in milliseconds (spec: Limits). */
// oxfmt-ignore
export const lifetimes = {
  /** Counted from the last visit, like `rememberedLogin`. */
  login:             2 * hour,
  rememberedLogin:  rememberedDays * day,
  confirmation:      3 * hour,
  waitingLogin:     10 * minute,
  /** What somebody had typed when their login ended, or into a form that they come back to. */
  draft:             2 * hour,
  passkeyChallenge:  5 * minute,
  reset:                 hour,
  verification:          day,
  registration:          day,
  /** How long a repeated submission of the same form counts as a double click. */
  sentTwice:            minute,
  /** The outcome of a button press, for a browser or a person that got no answer. */
  press:           2 * minute,
  /** The same for a plain form, which a person cannot fill in again so soon. */
  plainPress:        5_000,
  /** What a page says about a mail that a guest asked for; no shorter than the throttle `mails`. */
  mailAsked:            minute,
  /** At most: until the end of the next day (UTC). */
  photo:             2 * day,
  browser:         365 * day,
  /** A read notification. */
  notification: notificationDays * day,
  /** A job that failed for good. */
  failedJob:        31 * day,
  /** An event that notifies open pages of a change. */
  event:                minute,
  languageChoice:  365 * day,
} as const

/** The shortest time between two writes of a value, in milliseconds: otherwise every request would write. */
export const noteEvery = {
  /** A login's last visit, which restarts its span. */
  visit: minute,
  tokenUse: minute,
  /** A cookie that is sealed again, or a session's row that is written again. */
  session: minute,
} as const

// The clocks of several servers differ a little, and one may be set back by as much.
const tolerance = minute

/**
 * Returns whether what began `at` a time still holds. Nothing begins later than now: what is dated more than
 * a minute ahead was made before the clock was set back, or is forged (security rule 24).
 */
export function holds(at: Date | number, lifetime: number, now: Date): boolean {
  const age = now.getTime() - Number(at)
  return age >= -tolerance && age < lifetime
}

/**
 * Returns the latest time that something can have begun. A later one is from before the clock was set back.
 */
export function latestBegin(now: Date): Date {
  return new Date(now.getTime() + tolerance)
}

/** Returns the latest end that something of this lifetime can have. A later one does not count. */
export function latestEnd(lifetime: number, now: Date): Date {
  return new Date(latestBegin(now).getTime() + lifetime)
}
