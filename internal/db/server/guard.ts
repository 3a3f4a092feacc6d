import { setTimeout as pause } from 'node:timers/promises'
import { wholeSentence } from '../../base/text/whole-sentence.ts'
import { DatabaseBusy } from '../db.ts'
import type { Lendable } from './pool.ts'
import { SharedClock } from './shared-clock.ts'
import { messageOf, Unreachable } from './unreachable.ts'
import { untilLost } from './until-lost.ts'

/** Holds the lock by which other processes see that this one has the database open. It keeps restores out. */
export interface Guard {
  /** The time by the server's clock. */
  now(): Date
  /**
   * undefined while the lock is held. After a loss of its connection: resolves once the lock is held again, or rejects
   * with `DatabaseBusy`.
   */
  heldAgain(): Promise<void> | undefined
  end(): Promise<void>
}

interface Guarding<Connection> {
  /** Opens a connection for the lock alone. */
  readonly open: () => Promise<Connection>
  /** Takes the lock on a connection; false while a restore keeps others from it. */
  readonly hold: (connection: Connection) => Promise<boolean>
  /** Lets go of the lock. */
  readonly release: (connection: Connection) => Promise<unknown>
  /** The time by the server's clock. */
  readonly time: (connection: Connection) => Promise<Date>
  /** Milliseconds to wait for the lock; then `DatabaseBusy` is thrown. */
  readonly wait: number
  /** Called once for each loss of the connection, with why the lock could not be taken again at the first try. */
  readonly lost: (error: unknown) => void
}

/** How long a guard waits, and what it calls after a loss. */
export type GuardOptions = Pick<Guarding<unknown>, 'wait' | 'lost'> & {
  /** Milliseconds after which a server that does not answer is taken for gone. */
  readonly patience: number
}

// Milliseconds: between tries to take the lock again, between settings of the clock, and for a release at most.
const againAfter = 250
const setAfter = 30_000
const longestRelease = 500
/** Milliseconds that a statement waits until the lock is taken again: it may still wait for a connection afterwards. */
const longestTry = 1000

/** Takes the lock, and holds it until `end`: after a loss of the connection, on another one. */
export async function openGuard<Connection extends Lendable>(
  guarding: Guarding<Connection>,
): Promise<Guard> {
  const connection = await takeLock(guarding)
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
  /** Resolved after the first try to take the lock again, once this connection is lost. */
  #tried = Promise.withResolvers<void>()
  /** Why the last try to take the lock again failed; undefined until one has. */
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
    // An error is dropped: that the connection is lost is seen in its `lost`.
    this.#timer = setInterval(() => void this.setClock().catch(() => {}), setAfter).unref()
  }

  async setClock(): Promise<void> {
    await this.#clock.set(() => this.#guarding.time(this.#connection))
  }

  now(): Date {
    if (this.#clock.isDoubtful && !this.#isSetting) void this.#setAnew()
    return this.#clock.now()
  }

  /** Sets the clock. Where the server cannot be asked, the next call of `now` tries again. */
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
    throw new DatabaseBusy(whyUnguarded(cause), { cause })
  }

  async end(): Promise<void> {
    clearInterval(this.#timer)
    this.#ending.abort()
    await this.#staying
    if (!this.#connection.lost.aborted) await releaseLock(this.#connection, this.#guarding)
    await this.#connection.end()
  }

  /** False after `end`: then the pool says that the database is closed. */
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

  /** Tries to take the lock again at once, and then again and again while the server is away or a restore goes on. */
  async #holdAnew(signal: AbortSignal): Promise<void> {
    const tried = this.#tried
    while (!signal.aborted)
      try {
        this.#connection = await takeLock({ ...this.#guarding, wait: 0 })
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

/** `refusal` is undefined where the first try to take the lock again is not over yet. */
function whyUnguarded(refusal: unknown): string {
  if (refusal instanceof Unreachable) return refusal.message
  const message = 'No restore can be kept out of the database now'
  return refusal === undefined ? `${message}.` : `${message}: ${wholeSentence(messageOf(refusal))}`
}

/**
 * Lets go of the lock before its connection is closed: the server sees that late, and a restore may follow at once. A
 * server that does not answer soon is not waited for. The timer keeps no command alive that is done.
 */
async function releaseLock<Connection extends Lendable>(
  connection: Connection,
  { release }: Guarding<Connection>,
): Promise<void> {
  const late = pause(longestRelease, undefined, { ref: false })
  await Promise.race([release(connection).catch(() => {}), late])
}

async function takeLock<Connection extends Lendable>({
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

/** Calls `hold` until it takes the lock. Throws `DatabaseBusy` once `performance.now()` has reached `until`. */
export async function untilHeld(hold: () => Promise<boolean>, until: number): Promise<void> {
  while (!(await hold())) {
    if (performance.now() >= until)
      throw new DatabaseBusy(
        'A restore has the database to itself: wait for its end, and try again.',
      )
    await pause(50)
  }
}
