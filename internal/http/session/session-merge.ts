import { isDeepStrictEqual } from 'node:util'
import { mostChallenges, type Session } from './session.ts'

type Parts = Readonly<Record<string, unknown>>

/**
 * Applies a request's changes to the current session, so that concurrent requests do not lose each other's
 * changes. A part changed by another request meanwhile is not removed.
 */
export function merged(before: Session, after: Session, current: Session): Session {
  const result: Record<string, unknown> = { ...current }
  for (const name of changedParts(before, after)) {
    const [oldPart, newPart, currentPart] = [before, after, current].map(
      (session) => partsOf(session)[name],
    )
    if (name === 'challenges')
      result[name] = withNew(list(oldPart), list(newPart), list(currentPart))
    else if (name === 'flash' && newPart !== undefined)
      result[name] = { ...object(currentPart), ...added(oldPart, newPart) }
    else if (newPart !== undefined) result[name] = newPart
    else if (isDeepStrictEqual(oldPart, currentPart)) delete result[name]
  }
  return result
}

/**
 * Returns the session to save after a request if another one has replaced it with `current`; undefined to
 * leave `current`: the request changed nothing, or the browser has logged in or out meanwhile and the request did not
 * log in, or has confirmed meanwhile and the request did not.
 */
export function rebased(before: Session, after: Session, current: Session): Session | undefined {
  if (after === before) return undefined
  if (isAnother(before, after) && (after.login || !isAnother(before, current))) return after
  if (isConfirmedAnew(before, current) && !isConfirmedAnew(before, after)) return undefined
  return isAnother(before, current) ? undefined : merged(before, after, current)
}

/** Whether a request changed its session. */
export function isChanged(before: Session, after: Session): boolean {
  return before !== after && changedParts(before, after).length > 0
}

/** Whether a login began, ended or began to wait for its code between the two: these must not share an ID. */
export function isAnother(before: Session, after: Session): boolean {
  return before.login?.id !== after.login?.id || before.waiting !== after.waiting
}

/**
 * Whether the user of a login has confirmed who they are between the two: whoever copied the cookie before must not
 * get the confirmation with it.
 */
export function isConfirmedAnew(before: Session, after: Session): boolean {
  return !isAnother(before, after) && before.confirmedAt !== after.confirmedAt
}

function changedParts(before: Session, after: Session): string[] {
  const [oldParts, newParts] = [partsOf(before), partsOf(after)]
  const names = new Set([...Object.keys(oldParts), ...Object.keys(newParts)])
  return [...names].filter((name) => !isDeepStrictEqual(oldParts[name], newParts[name]))
}

function partsOf(session: Session): Parts {
  return session as Parts
}

function withNew(
  before: readonly unknown[],
  after: readonly unknown[],
  current: readonly unknown[],
) {
  return [...current, ...after.filter((challenge) => !before.includes(challenge))].slice(
    -mostChallenges,
  )
}

/** Returns the entries of `after` that `before` lacks, or has with another value. */
function added(before: unknown, after: unknown): Parts {
  const old = object(before)
  return Object.fromEntries(
    Object.entries(object(after)).filter(([name, value]) => !isDeepStrictEqual(old[name], value)),
  )
}

function list(part: unknown): readonly unknown[] {
  return Array.isArray(part) ? part : []
}

function object(part: unknown): Parts {
  return typeof part === 'object' && part !== null ? (part as Parts) : {}
}
