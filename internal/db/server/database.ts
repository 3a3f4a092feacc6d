import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Db, Tx, Value } from '../db.ts'
import { Inside } from '../transaction.ts'
import type { Answer } from './answer.ts'
import type { Guard } from './guard.ts'
import { orInDoubt } from './or-in-doubt.ts'
import type { Lendable, Pool } from './pool.ts'
import type { ServerTransaction } from './transaction.ts'
import { Semaphore } from './semaphore.ts'

/** How statements run on a kind of server, and what its errors mean. */
export interface Dialect<Connection> {
  runStatement<Row>(
    connection: Connection,
    sql: TemplateStringsArray,
    values: readonly Value[],
  ): Promise<Answer<Row>>
  transaction(connection: Connection): ServerTransaction
  /** The work has to be rerun: it was rolled back in favour of another transaction, as in a deadlock. */
  runsAgain(error: unknown): boolean
  /**
   * A prepared statement of the connection has become invalid, for instance after its table changed. The work was
   * rolled back.
   */
  isOutdated(error: unknown): boolean
  /**
   * The server currently accepts no writes; the work was rolled back. Another server, or this one on a new connection,
   * may accept them by now.
   */
  takesNoWrite(error: unknown): boolean
}

interface DatabaseParts<Connection extends Lendable> {
  readonly pool: Pool<Connection>
  readonly guard: Guard
  readonly dialect: Dialect<Connection>
  /** Milliseconds after which nothing is rerun. */
  readonly patience: number
  /** The most connections that the pool lends. */
  readonly most: number
}

/** Milliseconds: chosen so that within five seconds a person learns that the database does not answer. */
export const usualWait = 4000

/** How often a statement or a transaction runs at most, including the first run. */
const mostRuns = 5

/** Milliseconds. The pause before the second run is random up to this; the maximum doubles with each further run. */
const mostPause = 40

/** The share of connections, at least one of two, reserved for reads: all writes may be waiting for row locks. */
const forReaders = 1 / 4

/** Runs each statement and each transaction on any free connection. */
export class ServerDatabase<Connection extends Lendable> implements Database {
  readonly #parts: DatabaseParts<Connection>
  readonly #inside = new Inside()
  readonly #writers: Semaphore

  constructor(parts: DatabaseParts<Connection>) {
    this.#parts = parts
    const { most, patience } = parts
    const reserved = Math.min(Math.max(1, Math.floor(most * forReaders)), most - 1)
    // Half of the time is for a turn, the other half for row locks.
    this.#writers = new Semaphore({ most: most - reserved, wait: patience / 2 })
  }

  get unsynced(): Db {
    return this
  }

  async first<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row | undefined> {
    return (await this.#ask<Row>(sql, values))[0]
  }

  async all<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row[]> {
    return Array.from(await this.#ask<Row>(sql, values))
  }

  async run(sql: TemplateStringsArray, ...values: Value[]): Promise<number> {
    return (await this.#ask(sql, values)).count
  }

  async transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    this.#inside.refuseTransaction()
    const { transaction, result } = await this.#write((connection) =>
      this.#attempt(connection, work),
    )
    transaction.committed()
    return result
  }

  now(): Date {
    return this.#parts.guard.now()
  }

  async ping(): Promise<void> {
    await this.first`SELECT 1`
  }

  async emptyLog(): Promise<boolean> {
    this.#inside.refuseWait()
    return true
  }

  async writeAnew(): Promise<boolean> {
    this.#inside.refuseWait()
    return true
  }

  async close(): Promise<void> {
    await this.#parts.pool.close()
    await this.#parts.guard.end()
  }

  async #ask<Row>(sql: TemplateStringsArray, values: readonly Value[]): Promise<Answer<Row>> {
    this.#inside.refuseStatement(sql)
    const { dialect } = this.#parts
    const runOn = (connection: Connection) => dialect.runStatement<Row>(connection, sql, values)
    if (reads(sql)) return this.#withRetries(runOn, this.#until())
    return this.#write((connection) => orInDoubt(connection, () => runOn(connection)))
  }

  async #write<Result>(attempt: (connection: Connection) => Promise<Result>): Promise<Result> {
    const until = this.#until()
    return this.#writers.run(() => this.#withRetries(attempt, until))
  }

  /** Until when failed work may be rerun, by `performance.now()`. */
  #until(): number {
    return performance.now() + this.#parts.patience
  }

  /**
   * Lends a connection, but only while the guard keeps restores out: otherwise one could begin in the middle of the
   * work.
   */
  async #with<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const heldAgain = this.#parts.guard.heldAgain()
    // Awaited only if needed: a statement issued before `close` must reach the pool before it.
    if (heldAgain) await heldAgain
    return this.#parts.pool.with(work)
  }

  async #withRetries<Result>(
    attempt: (connection: Connection) => Promise<Result>,
    until: number,
  ): Promise<Result> {
    const { pool, dialect } = this.#parts
    const attemptOnce = async (connection: Connection) => {
      try {
        return await attempt(connection)
      } catch (error) {
        if (dialect.isOutdated(error) || dialect.takesNoWrite(error)) pool.renew(connection)
        throw error
      }
    }
    for (let run = 1; ; run++)
      try {
        return await this.#with(attemptOnce)
      } catch (error) {
        const isOver = run === mostRuns || performance.now() > until
        if (isOver || !(dialect.runsAgain(error) || dialect.isOutdated(error))) throw error
        // The other transaction has its lock now but may not have finished: rerun at once, this one could block it
        // again.
        if (dialect.runsAgain(error)) await pause(Math.random() * mostPause * 2 ** (run - 1))
      }
  }

  async #attempt<Result>(
    connection: Connection,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<{ transaction: ServerTransaction; result: Result }> {
    const transaction = this.#parts.dialect.transaction(connection)
    try {
      const result = await this.#inside.run(transaction, work)
      await transaction.commit()
      return { transaction, result }
    } catch (error) {
      await transaction.rollBack()
      throw error
    }
  }
}

// Keyed by the template object, which is the same each time a place in the code runs.
const readings = new WeakMap<TemplateStringsArray, boolean>()

function reads(sql: TemplateStringsArray): boolean {
  const cached = readings.get(sql)
  if (cached !== undefined) return cached
  const isRead = onlyReads(sql.join('?'))
  readings.set(sql, isRead)
  return isRead
}

/** Whether a statement only reads: a SELECT, or a WITH without any keyword of a write. */
function onlyReads(text: string): boolean {
  if (/^\s*SELECT\b/i.test(text)) return true
  return /^\s*WITH\b/i.test(text) && !/\b(INSERT|UPDATE|DELETE)\b/i.test(text)
}
