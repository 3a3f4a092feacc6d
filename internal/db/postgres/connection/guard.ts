import { rowOf } from '../../server/answer.ts'
import { openGuard, type Guard, type GuardOptions } from '../../server/guard.ts'
import type { PostgresUrl } from './url.ts'
import { Connection } from '../connection.ts'
import { beginLong } from './limits.ts'
import { lockKeys } from '../locks.ts'

/**
 * Holds a lock shared by all processes that have the database open. It is held in a transaction that does nothing
 * else, so that it ends with the process even behind a pooler.
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
  // The lock is retried on this connection, in a new transaction: otherwise the server would log a warning.
  if (!isHeld) await release(connection)
  return isHeld
}

/** Takes that lock in the current transaction; false while a restore holds it. */
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
