import { rowOf } from '../../server/answer.ts'
import { randomInt } from 'node:crypto'
import { openGuard, setClockEvery, type Guard, type GuardOptions } from '../../server/guard.ts'
import type { ServerUrl } from '../../server/url.ts'
import { Connection } from '../connection.ts'
import { openLocks } from '../locks.ts'

/** Holds one of the locks for processes that have the database open. */
export function guardOf(url: ServerUrl, { patience, ...options }: GuardOptions): Promise<Guard> {
  const locks = openLocks(url)
  return openGuard({
    open: () => Connection.open(url, { patience }),
    hold: (connection) => holdWhileTalking(connection, locks),
    release,
    time,
    ...options,
  })
}

async function holdWhileTalking(
  connection: Connection,
  locks: readonly string[],
): Promise<boolean> {
  const isHeld = await holdOne(connection, locks)
  if (isHeld) await limitSilence(connection)
  return isHeld
}

/** Seconds. */
const longestSilence = (4 * setClockEvery) / 1000

/**
 * Makes the server end a connection that is silent for two minutes, and so free its locks: the process hangs, or its
 * machine is gone. The server would otherwise notice the latter two hours later.
 */
export async function limitSilence(connection: Connection): Promise<void> {
  await connection.script('SET SESSION wait_timeout = ?', [longestSilence])
}

/** How many locks to try: some are held by other processes, all of them only by a restore. */
const tries = 20

/** Takes one of the locks; false while a restore holds them all. */
export async function holdOne(connection: Connection, locks: readonly string[]): Promise<boolean> {
  const start = randomInt(locks.length)
  for (let at = start; at < start + tries; at++) {
    const lock = rowOf(
      await connection.ask<{ held: boolean }>('SELECT GET_LOCK(?, 0) AS held', [
        locks[at % locks.length],
      ]),
    )
    if (lock.held) return true
  }
  return false
}

function release(connection: Connection): Promise<unknown> {
  return connection.script('DO RELEASE_ALL_LOCKS()')
}

/** Releases a connection's locks, and closes it. Closing alone would release them a moment later. */
export async function closeFreeing(connection: Connection): Promise<void> {
  if (!connection.lost.aborted) await release(connection).catch(() => {})
  await connection.end()
}

async function time(connection: Connection): Promise<Date> {
  const clock = rowOf(await connection.ask<{ at: Date }>('SELECT NOW(6) AS at'))
  return clock.at
}
