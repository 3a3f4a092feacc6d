import { rowOf } from '../server/answer.ts'
import { openGuard, type Guard, type GuardOptions } from '../server/guard.ts'
import type { PostgresUrl } from './url.ts'
import { beginLong, Connection } from './connection.ts'
import { lockKeys } from './locks.ts'

/**
 * Holds a lock that all processes share which have the database open. The lock is held in a transaction that does
 * nothing else, so that behind a pooler too it ends with the process.
 */
export function guardOf(url: PostgresUrl, { patience, ...options }: GuardOptions): Promise<Guard> {
  return openGuard({
    open: () => Connection.open(url, { patience }),
    hold,
    release,
    time,
    ...options,
  })
}

async function hold(connection: Connection): Promise<boolean> {
  await connection.script(beginLong())
  const isHeld = await holdInside(connection)
  // The lock is tried again on this connection: in a transaction of its own, or the server would log a warning.
  if (!isHeld) await release(connection)
  return isHeld
}

/** Takes that lock in the transaction that is under way; false while a restore has it. */
export async function holdInside(connection: Connection): Promise<boolean> {
  const lock = rowOf(
    await connection.ask<{ held: boolean }>(
      `SELECT pg_try_advisory_xact_lock_shared(${lockKeys.open}) AS held`,
    ),
  )
  return lock.held
}

function release(connection: Connection): Promise<unknown> {
  return connection.script('ROLLBACK')
}

async function time(connection: Connection): Promise<Date> {
  const clock = rowOf(await connection.ask<{ at: Date }>('SELECT clock_timestamp() AS at'))
  return clock.at
}
