import { notificationDays, rememberedDays } from '../../web/contract/limits.ts'
import { day, hour, minute } from './time-units.ts'

/** How long things hold, in milliseconds (spec: Limits). */
// oxfmt-ignore
export const lifetimes = {
  /** Since the last visit, as is that of a remembered login. */
  login:             2 * hour,
  rememberedLogin:  rememberedDays * day,
  confirmation:      3 * hour,
  waitingLogin:     10 * minute,
  /** What somebody had typed when their login ended. */
  draft:             2 * hour,
  passkeyChallenge:  5 * minute,
  reset:                 hour,
  verification:          day,
  registration:          day,
  /** How long the same form sent once more counts as a double click. */
  sentTwice:            minute,
  /** The outcome of a press, for a browser or a person that had no answer. */
  press:           2 * minute,
  /** What a page says of a mail that a guest asked for; no shorter than the throttle `mails`. */
  mailAsked:            minute,
  /** At most: until the end of the next day (UTC). */
  photo:             2 * day,
  browser:         365 * day,
  /** A notification that was read. */
  notification: notificationDays * day,
  /** A job that failed for good. */
  failedJob:        31 * day,
  /** An event that tells open pages of a change. */
  event:                minute,
  languageChoice:  365 * day,
} as const

/** The least milliseconds between two writes of the same note: otherwise every request would write. */
export const noteEvery = {
  /** That a login was seen, which restarts its span. */
  visit: minute,
  tokenUse: minute,
  /** A cookie is sealed again, and the row of a session written again. */
  session: minute,
} as const

// Clocks of several servers differ a little, and one may be set back by as much.
const tolerance = minute

/**
 * Whether what began `at` a time still holds. Nothing begins later than now: what is dated more than a minute ahead
 * was made before the clock was set back, or by nobody of ours (security rule 24).
 */
export function holds(at: Date | number, lifetime: number, now: Date): boolean {
  const age = now.getTime() - Number(at)
  return age >= -tolerance && age < lifetime
}

/** The latest end that something of this lifetime can have. A later one is dated ahead, and does not count. */
export function latestEnd(lifetime: number, now: Date): Date {
  return new Date(now.getTime() + lifetime + tolerance)
}
