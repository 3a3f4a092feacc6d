import { setTimeout as pause } from 'node:timers/promises'
import { errorSentence } from '../../base/error-message.ts'
import { DatabaseBusy } from '../db.ts'
import type { Lendable } from './pool.ts'
import { SharedClock } from './shared-clock.ts'
import { Unreachable } from './unreachable.ts'
import { untilLost } from './until-lost.ts'

/** Holds the lock that shows other processes that this one has the database open, which keeps restores out. */
export interface Guard {
  /** The time by the server's clock. */
  now(): Date
  /**
   * undefined while the lock is held. After its connection was lost: resolves once the lock is regained, or rejects
   * with `DatabaseBusy`.
   */
  heldAgain(): Promise<void> | undefined
  end(): Promise<void>
}

interface Guarding<Connection> {
  /** Opens a connection for the lock alone. */
  readonly open: () => Promise<Connection>
  /** Takes the lock on a connection; false while a restore holds it. */
  readonly hold: (connection: Connection) => Promise<boolean>
  /** Releases the lock. */
  readonly release: (connection: Connection) => Promise<unknown>
  /** The time by the server's clock. */
  readonly time: (connection: Connection) => Promise<Date>
  /** Milliseconds to wait for the lock; then `DatabaseBusy` is thrown. */
  readonly wait: number
  /** Called once per lost connection, with the reason why the first attempt to regain the lock failed. */
  readonly lost: (error: unknown) => void
}

/** How long a guard waits, and what it calls after a loss. */
export type GuardOptions = Pick<Guarding<unknown>, 'wait' | 'lost'> & {
  /** Milliseconds after which a silent server is considered gone. */
  readonly patience: number
}

/** Milliseconds between settings of the clock: a guard is silent no longer. */
export const setClockEvery = 30_000

// Milliseconds between attempts to regain the lock, and at most for a release.
const againAfter = 250
const longestRelease = 500
/** Milliseconds that a statement waits for the lock to be regained: it may have to wait for a connection afterwards. */
const longestTry = 1000

/** Takes the lock and holds it until `end`; after a loss of its connection, on another one. */
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
  /** Resolved after the first attempt to regain the lock, once this connection is lost. */
  #checked = Promise.withResolvers<void>()
  /** Why the last attempt to regain the lock failed; undefined before the first failure. */
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
    // The error is ignored: a lost connection shows in its `lost` signal.
    this.#timer = setInterval(() => void this.setClock().catch(() => {}), setClockEvery).unref()
  }

  async setClock(): Promise<void> {
    await this.#clock.set(() => this.#guarding.time(this.#connection))
  }

  now(): Date {
    if (this.#clock.isDoubtful && !this.#isSetting) void this.#setAnew()
    return this.#clock.now()
  }

  /** Sets the clock. If the server cannot be queried, the next call of `now` tries again. */
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
      await Promise.race([this.#checked.promise, pause(longestTry, undefined, { ref: false })])
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

  /** False after `end`: then the pool reports that the database is closed. */
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

  /** Tries to regain the lock at once, then repeatedly while the server is away or a restore is running. */
  async #holdAnew(signal: AbortSignal): Promise<void> {
    const checked = this.#checked
    while (!signal.aborted)
      try {
        this.#connection = await takeLock({ ...this.#guarding, wait: 0 })
        this.#checked = Promise.withResolvers()
        this.#refusal = undefined
        checked.resolve()
        await this.setClock().catch(() => {})
        return
      } catch (error) {
        if (this.#refusal === undefined) this.#guarding.lost(error)
        this.#refusal = error
        checked.resolve()
        await pause(againAfter, undefined, { signal, ref: false })
      }
  }
}

/** `refusal` is undefined while the first attempt to regain the lock is still running. */
function whyUnguarded(refusal: unknown): string {
  if (refusal instanceof Unreachable) return refusal.message
  const message = 'No restore can be kept out of the database now'
  return refusal === undefined ? `${message}.` : `${message}: ${errorSentence(refusal)}`
}

/**
 * Releases the lock before closing its connection: the server notices a closed connection late, and a restore may
 * follow at once. Does not wait for a server that is slow to answer. The timer does not keep a finished command
 * running.
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
