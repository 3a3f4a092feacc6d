import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { CommitInDoubt } from '../../db.ts'
import type { Connection, Statement } from '../connection.ts'
import { busy, isBusy, isLostSync, isOfDisk } from './errors.ts'

/** A write waiting for its turn. */
export interface Write<Result> {
  /** Writes, all or nothing. */
  attempt(): Result | Promise<Result>
  /** Called once the write is committed, and durable if `isSynced`. */
  committed?(): void
  /** Whether the write is acknowledged only once it would survive a power cut. */
  readonly isSynced: boolean
}

export interface WriteQueueOptions {
  /** Milliseconds that a write waits for another process's lock. */
  readonly wait: number
  /** Called before each transaction. Throws if nothing may be written. */
  beforeTransaction(): void
  /** Called at the end of each transaction, before its commit, and before work between two (`aside`). */
  beforeCommit(): void
  /** Called after each transaction, and after work between two. */
  afterTransaction(): void
  /** Called when the disk failed to store a commit: its content is unknown, so the process has to end. */
  fatal(error: unknown): void
}

interface Waiting {
  readonly write: Write<unknown>
  readonly since: number
  resolve(value: unknown): void
  reject(error: unknown): void
}

interface Attempted {
  readonly waiting: Waiting
  readonly outcome: { readonly value: unknown } | { readonly error: unknown }
}

// The most writes, and the most milliseconds, of a transaction: its first write is not acknowledged before its last.
const most = 256
const longest = 20

const synced = 'PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000'
const unsynced = 'PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0'

// The most transactions in a row without fsync: the log is checkpointed only after one with fsync.
const mostUnsynced = 50

/**
 * Serializes all writes. Those waiting share a transaction and its fsync, or skip the fsync if none of them needs it.
 * Each write is acknowledged or rejected only after the commit, since one may have failed because of what another one
 * wrote.
 */
export class WriteQueue {
  readonly #connection: Connection
  readonly #options: WriteQueueOptions
  readonly #waiting: Waiting[] = []
  readonly #asides: (() => void)[] = []
  readonly #begin: Statement
  readonly #end: Statement
  // The mode in which every connection is opened.
  #isSynced = true
  #unsynced = 0
  #drain: Promise<void> | undefined
  #closed: unknown

  constructor(connection: Connection, options: WriteQueueOptions) {
    this.#connection = connection
    this.#begin = connection.prepare('BEGIN IMMEDIATE')
    this.#end = connection.prepare('COMMIT')
    this.#options = options
  }

  write<Result>(write: Write<Result>): Promise<Result> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed)
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#waiting.push({ write, since: performance.now(), resolve, reject })
    this.#drain ??= this.#drainAll()
    return promise
  }

  /** Runs `work` on the connection between two transactions. */
  aside<Result>(work: () => Result): Promise<Result> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed)
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#asides.push(() => {
      try {
        this.#sync(true)
        this.#options.beforeCommit()
        resolve(work())
      } catch (error) {
        reject(error)
        if (isLostSync(error)) this.#fail([], error, true)
      }
    })
    this.#drain ??= this.#drainAll()
    return promise
  }

  /** Takes no more writes, and waits for pending ones. */
  async close(): Promise<void> {
    this.#closed ??= new Error('The database is closed.')
    await this.#drain
  }

  async #drainAll(): Promise<void> {
    while (this.#waiting.length + this.#asides.length > 0) {
      await this.#gather()
      for (const aside of this.#asides.splice(0)) aside()
      if (this.#waiting.length > 0 && (await this.#hasBegun()))
        this.#commit(await this.#attemptAll())
      this.#options.afterTransaction()
    }
    this.#drain = undefined
  }

  /**
   * Waits one turn of the event loop, so that all writes of this turn, and those that the last commit unblocked, join;
   * then further turns as long as each brings another write. A turn without one costs a small part of an fsync.
   */
  async #gather(): Promise<void> {
    const until = performance.now() + longest
    let before: number
    do {
      before = this.#waiting.length
      await nextTurn()
    } while (
      before < this.#waiting.length &&
      this.#waiting.length < most &&
      performance.now() < until
    )
  }

  /** Begins a transaction. False if the database stays locked until no write is waiting any more. */
  async #hasBegun(): Promise<boolean> {
    if (this.#tryBegin()) return true
    // SQLite's own wait blocks the whole process, so it is not repeated.
    this.#connection.pragma('busy_timeout = 0')
    try {
      while (this.#waiting.length > 0) {
        await pause(20)
        if (this.#tryBegin()) return true
      }
      return false
    } finally {
      this.#connection.pragma('busy_timeout = 100')
    }
  }

  #tryBegin(): boolean {
    try {
      this.#options.beforeTransaction()
      const isDue = this.#unsynced >= mostUnsynced
      this.#sync(isDue || this.#waiting.some(({ write }) => write.isSynced))
      this.#begin.run()
      return true
    } catch (error) {
      if (isBusy(error)) this.#rejectWaiting(busy(error), performance.now() - this.#options.wait)
      else this.#rejectWaiting(error, Infinity)
      return false
    }
  }

  /**
   * Sets whether the next transaction ends with an fsync, which also makes earlier unsynced ones durable. Cannot be
   * set within a transaction. The log is checkpointed only after a transaction with fsync: SQLite does not report an
   * fsync that fails during a checkpoint, and the next fsync would succeed although data is lost.
   */
  #sync(isSynced: boolean): void {
    if (isSynced === this.#isSynced) return
    this.#connection.exec(isSynced ? synced : unsynced)
    this.#isSynced = isSynced
  }

  async #attemptAll(): Promise<Attempted[]> {
    const attempted: Attempted[] = []
    const until = performance.now() + longest
    while (attempted.length < most && performance.now() < until && this.#connection.inTransaction) {
      const [waiting] = this.#waiting
      if (!waiting || (waiting.write.isSynced && !this.#isSynced)) break
      this.#waiting.shift()
      attempted.push({ waiting, outcome: await outcomeOf(waiting.write) })
    }
    return attempted
  }

  #commit(attempted: Attempted[]): void {
    if (!this.#connection.inTransaction) {
      const reason = reasonOf(attempted)
      this.#fail(attempted, reason, isLostSync(reason))
      return
    }
    try {
      this.#options.beforeCommit()
      this.#end.run()
    } catch (error) {
      if (this.#connection.inTransaction) this.#connection.exec('ROLLBACK')
      this.#fail(attempted, error, isOfDisk(error))
      return
    }
    this.#unsynced = this.#isSynced ? 0 : this.#unsynced + 1
    for (const { waiting, outcome } of attempted) {
      if ('error' in outcome) waiting.reject(outcome.error)
      else acknowledge(waiting, outcome.value)
    }
  }

  #fail(attempted: Attempted[], error: unknown, fatal: boolean): void {
    const reason = fatal ? new CommitInDoubt(error) : error
    for (const { waiting } of attempted) waiting.reject(reason)
    if (!fatal) return
    this.#closed = error
    this.#rejectWaiting(error, Infinity)
    this.#options.fatal(error)
  }

  #rejectWaiting(error: unknown, since: number): void {
    while (this.#waiting[0] && this.#waiting[0].since <= since) this.#waiting.shift()?.reject(error)
  }
}

async function outcomeOf(write: Write<unknown>): Promise<Attempted['outcome']> {
  try {
    return { value: await write.attempt() }
  } catch (error) {
    return { error }
  }
}

/** Returns why SQLite rolled back the whole transaction by itself: the last error caused it. */
function reasonOf(attempted: Attempted[]): unknown {
  const last = attempted.at(-1)?.outcome
  return last && 'error' in last
    ? last.error
    : new Error('The database rolled the transaction back.')
}

function acknowledge(waiting: Waiting, value: unknown): void {
  try {
    waiting.write.committed?.()
    waiting.resolve(value)
  } catch (error) {
    waiting.reject(error)
  }
}
