import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseBusy } from '../db.ts'
import type { Lendable } from './pool.ts'
import { SharedClock } from './shared-clock.ts'
import { untilLost } from './until-lost.ts'

/** Says to other processes that this one has the database open. */
export interface Guard {
  /** The time by the server's clock. */
  now(): Date
  end(): Promise<void>
}

interface Guarding<Connection> {
  /** A connection of its own. */
  readonly open: () => Promise<Connection>
  /** Takes a lock there which a restore has no other take; false while it does. */
  readonly hold: (connection: Connection) => Promise<boolean>
  /** Lets go of it. */
  readonly release: (connection: Connection) => Promise<unknown>
  /** What time it is there. */
  readonly time: (connection: Connection) => Promise<Date>
  /** Milliseconds, after which it throws `DatabaseBusy`. */
  readonly wait: number
}

// Milliseconds.
const againAfter = 500
const setAfter = 30_000
const longestRelease = 500

/** Holds the lock until its end; on another connection once that is lost. */
export async function openGuard<Connection extends Lendable>(
  guarding: Guarding<Connection>,
): Promise<Guard> {
  const ending = new AbortController()
  const clock = new SharedClock()
  let connection = await held(guarding)
  const setClock = () => clock.set(() => guarding.time(connection))
  // Who is lost or closed is told elsewhere.
  const setAgain = () => void setClock().catch(() => {})
  const stay = async () => {
    while (!ending.signal.aborted) {
      await untilLost(connection, ending.signal)
      if (ending.signal.aborted) return
      await pause(againAfter, undefined, { signal: ending.signal, ref: false })
      // A server that is away, or a restore that goes on: it asks again.
      connection = await held({ ...guarding, wait: 0 }).catch(() => connection)
      setAgain()
    }
  }
  try {
    await setClock()
  } catch (error) {
    await connection.end()
    throw error
  }
  const staying = stay().catch(() => {})
  const timer = setInterval(setAgain, setAfter).unref()
  return {
    now: () => clock.now(),
    async end() {
      clearInterval(timer)
      ending.abort()
      await staying
      if (!connection.lost.aborted) await released(connection, guarding)
      await connection.end()
    },
  }
}

/**
 * A restore may follow at once, before the server sees that the connection is closed. One that does not answer is left
 * to itself.
 */
async function released<Connection extends Lendable>(
  connection: Connection,
  { release }: Guarding<Connection>,
): Promise<void> {
  await Promise.race([release(connection).catch(() => {}), pause(longestRelease)])
}

async function held<Connection extends Lendable>({
  open,
  hold,
  wait,
}: Guarding<Connection>): Promise<Connection> {
  const until = performance.now() + wait
  const connection = await open()
  try {
    await untilHeld(() => hold(connection), until)
    return connection
  } catch (error) {
    await connection.end()
    throw error
  }
}

/** Tries until what a restore has no other take is taken. Throws `DatabaseBusy` when it is not by then. */
export async function untilHeld(hold: () => Promise<boolean>, until: number): Promise<void> {
  while (!(await hold())) {
    if (performance.now() >= until)
      throw new DatabaseBusy(
        'A restore has the database to itself: wait for its end, and try again.',
      )
    await pause(50)
  }
}
