import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseBusy } from '../db.ts'
import type { Lendable } from './pool.ts'
import { SharedClock } from './shared-clock.ts'
import { Unreachable } from './unreachable.ts'
import { untilLost } from './until-lost.ts'

/** Says to other processes that this one has the database open. */
export interface Guard {
  /** The time by the server's clock. */
  now(): Date
  /** undefined while a restore is kept out. Else its connection was lost: resolves once it is again, or throws `DatabaseBusy`. */
  heldAgain(): Promise<void> | undefined
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
  /** Told once for as long as no other can be had in the place of a connection that was lost. */
  readonly lost: (error: unknown) => void
}

/** How a database is guarded. */
export type GuardOptions = Pick<Guarding<unknown>, 'wait' | 'lost'> & {
  /** Milliseconds after which a server that does not answer is taken for gone. */
  readonly patience: number
}

// Milliseconds.
const againAfter = 250
const setAfter = 30_000
const longestRelease = 500
/** Less than the time a request has left then to wait for a connection. */
const longestTry = 1000

/** Holds the lock until its end; on another connection once that is lost. */
export async function openGuard<Connection extends Lendable>(
  guarding: Guarding<Connection>,
): Promise<Guard> {
  const connection = await held(guarding)
  const guard = new LastingGuard(connection, guarding)
  try {
    await guard.setClock()
  } catch (error) {
    await connection.end()
    throw error
  }
  guard.begin()
  return guard
}

class LastingGuard<Connection extends Lendable> implements Guard {
  readonly #guarding: Guarding<Connection>
  readonly #ending = new AbortController()
  readonly #clock = new SharedClock()
  #connection: Connection
  /** Resolved once it was first tried to have another connection in the place of this one. */
  #tried = Promise.withResolvers<void>()
  /** Why there is none yet. */
  #refusal: unknown
  #staying: Promise<void> | undefined
  #isSetting = false
  #timer: NodeJS.Timeout | undefined

  constructor(connection: Connection, guarding: Guarding<Connection>) {
    this.#connection = connection
    this.#guarding = guarding
  }

  begin(): void {
    this.#staying = this.#stay().catch(() => {})
    // Who is lost or closed is told elsewhere.
    this.#timer = setInterval(() => void this.setClock().catch(() => {}), setAfter).unref()
  }

  async setClock(): Promise<void> {
    await this.#clock.set(() => this.#guarding.time(this.#connection))
  }

  now(): Date {
    if (this.#clock.isDoubtful && !this.#isSetting) void this.#setAnew()
    return this.#clock.now()
  }

  /** Where the server cannot be asked, the next who asks what time it is tries again. */
  async #setAnew(): Promise<void> {
    this.#isSetting = true
    await this.setClock().catch(() => {})
    this.#isSetting = false
  }

  heldAgain(): Promise<void> | undefined {
    return this.#isLost() ? this.#triedAgain() : undefined
  }

  async #triedAgain(): Promise<void> {
    if (this.#refusal === undefined)
      await Promise.race([this.#tried.promise, pause(longestTry, undefined, { ref: false })])
    if (!this.#isLost()) return
    const cause = this.#refusal
    const why =
      cause instanceof Unreachable
        ? cause.message
        : 'No restore can be kept out of the database now.'
    throw new DatabaseBusy(why, { cause })
  }

  async end(): Promise<void> {
    clearInterval(this.#timer)
    this.#ending.abort()
    await this.#staying
    if (!this.#connection.lost.aborted) await released(this.#connection, this.#guarding)
    await this.#connection.end()
  }

  /** What is asked of one that was ended is told so by the pool. */
  #isLost(): boolean {
    return this.#connection.lost.aborted && !this.#ending.signal.aborted
  }

  async #stay(): Promise<void> {
    const { signal } = this.#ending
    for (;;) {
      await untilLost(this.#connection, signal)
      if (signal.aborted) return
      await this.#holdAnew(signal)
    }
  }

  /** At once, and then again and again: a server is away, or a restore goes on. */
  async #holdAnew(signal: AbortSignal): Promise<void> {
    const tried = this.#tried
    while (!signal.aborted)
      try {
        this.#connection = await held({ ...this.#guarding, wait: 0 })
        this.#tried = Promise.withResolvers()
        this.#refusal = undefined
        tried.resolve()
        await this.setClock().catch(() => {})
        return
      } catch (error) {
        if (this.#refusal === undefined) this.#guarding.lost(error)
        this.#refusal = error
        tried.resolve()
        await pause(againAfter, undefined, { signal, ref: false })
      }
  }
}

/**
 * A restore may follow at once, before the server sees that the connection is closed. One that does not answer is left
 * to itself. The time that it has keeps no command up that is done.
 */
async function released<Connection extends Lendable>(
  connection: Connection,
  { release }: Guarding<Connection>,
): Promise<void> {
  const late = pause(longestRelease, undefined, { ref: false })
  await Promise.race([release(connection).catch(() => {}), late])
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
