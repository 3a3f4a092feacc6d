import { setTimeout as pause } from 'node:timers/promises'
import type { Database, Db, Tx, Value } from '../db.ts'
import { Inside } from '../transaction.ts'
import type { Answer } from './answer.ts'
import type { Guard } from './guard.ts'
import { orInDoubt } from './or-in-doubt.ts'
import type { Lendable, Pool } from './pool.ts'
import type { ServerTransaction } from './transaction.ts'
import { Turns } from './turns.ts'

/** How a kind of server is spoken to. */
export interface Speech<Connection> {
  asked<Row>(
    connection: Connection,
    sql: TemplateStringsArray,
    values: readonly Value[],
  ): Promise<Answer<Row>>
  transaction(connection: Connection): ServerTransaction
  /** Of two that waited for each other one was stopped, or what was read is over: nothing of it holds. */
  runsAgain(error: unknown): boolean
  /** What the connection has prepared suits no more, since a table was changed: nothing of it holds either. */
  isOutdated(error: unknown): boolean
  /** The server takes no write now: nothing of it holds. Another one may by now, or the same one from whoever comes anew. */
  takesNoWrite(error: unknown): boolean
}

interface Opened<Connection extends Lendable> {
  readonly pool: Pool<Connection>
  readonly guard: Guard
  readonly speech: Speech<Connection>
  /** Milliseconds after which nothing is run again. */
  readonly patience: number
  /** Connections that the pool lends at most. */
  readonly most: number
}

/** Milliseconds: so that within five seconds a person is told that the database does not answer. */
export const usualWait = 4000

/** How often something is run that waits for another which waits for it. */
const mostRuns = 5

/** Milliseconds: the longest that it waits before its second run is twice that, and twice as long before each other. */
const shortestPause = 20

/** The part of the connections that those who only read have for themselves: whoever writes may wait for a row. */
const forReaders = 1 / 4

/** Each statement and each transaction on whichever connection is free. */
export class ServerDatabase<Connection extends Lendable> implements Database {
  readonly #opened: Opened<Connection>
  readonly #inside = new Inside()
  readonly #writers: Turns

  constructor(opened: Opened<Connection>) {
    this.#opened = opened
    const { most, patience } = opened
    // The other half of the time is for the row.
    this.#writers = new Turns({ most: most - Math.floor(most * forReaders), wait: patience / 2 })
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
    this.#inside.refuseWrite(sql)
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
    return this.#opened.guard.now()
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
    await this.#opened.pool.close()
    await this.#opened.guard.end()
  }

  async #ask<Row>(sql: TemplateStringsArray, values: readonly Value[]): Promise<Answer<Row>> {
    const { speech } = this.#opened
    const ask = (connection: Connection) => speech.asked<Row>(connection, sql, values)
    if (reads(sql)) return this.#again(ask, this.#until())
    this.#inside.refuseWrite(sql)
    return this.#write((connection) => orInDoubt(connection, () => ask(connection)))
  }

  async #write<Result>(attempt: (connection: Connection) => Promise<Result>): Promise<Result> {
    const until = this.#until()
    return this.#writers.with(() => this.#again(attempt, until))
  }

  /** As `performance.now()` has it. */
  #until(): number {
    return performance.now() + this.#opened.patience
  }

  /** Nothing is asked that a restore could come between. */
  async #with<Result>(work: (connection: Connection) => Promise<Result>): Promise<Result> {
    const heldAgain = this.#opened.guard.heldAgain()
    // Whoever asks before it is closed is answered.
    if (heldAgain) await heldAgain
    return this.#opened.pool.with(work)
  }

  async #again<Result>(
    attempt: (connection: Connection) => Promise<Result>,
    until: number,
  ): Promise<Result> {
    const { pool, speech } = this.#opened
    const once = async (connection: Connection) => {
      try {
        return await attempt(connection)
      } catch (error) {
        if (speech.isOutdated(error) || speech.takesNoWrite(error)) pool.renew(connection)
        throw error
      }
    }
    for (let run = 1; ; run++)
      try {
        return await this.#with(once)
      } catch (error) {
        const isOver = run === mostRuns || performance.now() > until
        if (isOver || !(speech.runsAgain(error) || speech.isOutdated(error))) throw error
        // The other is woken by now, but need not have run: whoever is quicker would stand in its way again, time after time.
        if (speech.runsAgain(error)) await pause(Math.random() * shortestPause * 2 ** run)
      }
  }

  async #attempt<Result>(
    connection: Connection,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<{ transaction: ServerTransaction; result: Result }> {
    const transaction = this.#opened.speech.transaction(connection)
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

// By the template's identity, which is one for each place in the code.
const readings = new WeakMap<TemplateStringsArray, boolean>()

function reads(sql: TemplateStringsArray): boolean {
  const known = readings.get(sql)
  if (known !== undefined) return known
  const found = onlyReads(sql.join('?'))
  readings.set(sql, found)
  return found
}

/** Whether a statement changes nothing, by its first word. */
function onlyReads(text: string): boolean {
  if (/^\s*SELECT\b/i.test(text)) return true
  return /^\s*WITH\b/i.test(text) && !/\b(INSERT|UPDATE|DELETE)\b/.test(text)
}
