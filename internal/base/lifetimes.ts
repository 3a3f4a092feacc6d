import { notificationDays, rememberedDays } from '../../web/contract/limits.ts'
import { day, hour, minute } from './time-units.ts'

/** How long things hold, in milliseconds (spec: Limits). */
// oxfmt-ignore
export const lifetimes = {
  /** Without a visit, as is that of one that is remembered. */
  login:             2 * hour,
  rememberedLogin:  rememberedDays * day,
  confirmation:      3 * hour,
  waitingLogin:     10 * minute,
  /** What somebody typed as their login was over. */
  draft:             2 * hour,
  passkeyChallenge:  5 * minute,
  reset:                 hour,
  verification:          day,
  registration:          day,
  /** In which the same form comes once more by a double click. */
  sentTwice:            minute,
  /** What came of a press, for a browser or a person that had no answer. */
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
  /** What open pages are told by. */
  event:                minute,
  languageChoice:  365 * day,
} as const

/** How often at most, in milliseconds: every request would write otherwise. */
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

/** Nothing that has this lifetime ends later: what seems to is dated ahead, and does not count either. */
export function latestEnd(lifetime: number, now: Date): Date {
  return new Date(now.getTime() + lifetime + tolerance)
}
