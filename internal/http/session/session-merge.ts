import { isDeepStrictEqual } from 'node:util'
import { mostChallenges, type Session } from './session.ts'

type Parts = Readonly<Record<string, unknown>>

/**
 * Applies a request's changes to the current session, so that concurrent requests do not lose each other's
 * changes. A part changed by another request meanwhile is not removed.
 */
export function merged(before: Session, after: Session, now: Session): Session {
  const made: Record<string, unknown> = { ...now }
  for (const name of changedParts(before, after)) {
    const [was, is, kept] = [before, after, now].map((session) => partsOf(session)[name])
    if (name === 'challenges') made[name] = withNew(list(was), list(is), list(kept))
    else if (name === 'flash' && is !== undefined)
      made[name] = { ...object(kept), ...added(was, is) }
    else if (is !== undefined) made[name] = is
    else if (isDeepStrictEqual(was, kept)) delete made[name]
  }
  return made
}

/**
 * Returns the session to save after a request if another one has replaced it with `now`; undefined to leave
 * `now`: the request changed nothing, or the browser has logged in or out meanwhile and the request did not
 * log in.
 */
export function rebased(before: Session, after: Session, now: Session): Session | undefined {
  if (after === before) return undefined
  if (isAnother(before, after) && (after.login || !isAnother(before, now))) return after
  return isAnother(before, now) ? undefined : merged(before, after, now)
}

/** Whether a request changed its session. */
export function isChanged(before: Session, after: Session): boolean {
  return before !== after && changedParts(before, after).length > 0
}

/** Whether a login began, ended or began to wait for its code between the two: these must not share an ID. */
export function isAnother(before: Session, after: Session): boolean {
  return before.login?.id !== after.login?.id || before.waiting !== after.waiting
}

function changedParts(before: Session, after: Session): string[] {
  const [was, is] = [partsOf(before), partsOf(after)]
  const names = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...names].filter((name) => !isDeepStrictEqual(was[name], is[name]))
}

function partsOf(session: Session): Parts {
  return session as Parts
}

function withNew(was: readonly unknown[], is: readonly unknown[], kept: readonly unknown[]) {
  return [...kept, ...is.filter((one) => !was.includes(one))].slice(-mostChallenges)
}

/** Returns the entries of `is` that `was` lacks, or has with another value. */
function added(was: unknown, is: unknown): Parts {
  const old = object(was)
  return Object.fromEntries(
    Object.entries(object(is)).filter(([name, value]) => !isDeepStrictEqual(old[name], value)),
  )
}

function list(part: unknown): readonly unknown[] {
  return Array.isArray(part) ? part : []
}

function object(part: unknown): Parts {
  return typeof part === 'object' && part !== null ? (part as Parts) : {}
}
