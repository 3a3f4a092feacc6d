import { CommitInDoubt, DatabaseBusy } from '../../db/db.ts'
import type { App } from '../../app.ts'
import type { Arrived } from '../arrived.ts'
import { loggedPath } from './request-log.ts'

interface Minute {
  readonly began: number
  /** The messages logged in this minute. */
  readonly loggedMessages: Set<string>
}

const minutes = new WeakMap<App, Minute>()

/**
 * Logs that a request could not use the database: each message at most once a minute, since all requests fail
 * during an outage. Every commit with unknown outcome gets its own line.
 */
export function logDatabase(c: Arrived, error: DatabaseBusy): void {
  const facts = { path: loggedPath(c), error }
  if (error instanceof CommitInDoubt)
    return c.log.warn('not known whether a change was made', facts)
  const { loggedMessages } = minuteOf(c)
  if (loggedMessages.has(error.message)) return
  loggedMessages.add(error.message)
  c.log.warn('the database cannot be used', facts)
}

/**
 * Logs a failed read of a request that is answered nonetheless. A database outage is logged once a minute,
 * since proxies check often.
 */
export function logFailedRead(c: Arrived, error: unknown, message: string): void {
  if (error instanceof DatabaseBusy) logDatabase(c, error)
  else c.log.error(message, { error })
}

function minuteOf({ app, began }: Arrived): Minute {
  const current = minutes.get(app)
  // The clock may have been set back.
  if (current && Math.abs(began - current.began) < 60_000) return current
  const next = { began, loggedMessages: new Set<string>() }
  minutes.set(app, next)
  return next
}
