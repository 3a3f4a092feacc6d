import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Database, DatabaseOptions, Tx, Value } from '../db.ts'
import { Inside } from '../transaction.ts'
import { fileOf } from './address.ts'
import { openReader, openWriter } from './connection.ts'
import { WriteQueue } from './write-queue.ts'
import { emptyLog, writeAnew } from './remains.ts'
import { Statements, type Prepared } from './rows.ts'
import { SqliteTransaction } from './transaction.ts'

/**
 * Opens the SQLite file, and makes it when there is none. A file that cannot be used throws an error that names
 * it and says what to do; one that stays locked throws `DatabaseBusy`.
 */
export async function openDatabase(
  address: DatabaseAddress,
  { wait = 5000, fatal = endProcess }: DatabaseOptions = {},
): Promise<Database> {
  const path = fileOf(address)
  const writer = await openWriter(path, wait)
  try {
    const queue = new WriteQueue(writer, { wait, fatal })
    return new SqliteDatabase(new Statements(openReader(path)), new Statements(writer), queue)
  } catch (error) {
    writer.close()
    throw error
  }
}

/** Reads on one connection without waiting; writes on another, through the queue. */
class SqliteDatabase implements Database {
  readonly #reader: Statements
  readonly #writer: Statements
  readonly #queue: WriteQueue
  readonly #inside = new Inside()

  constructor(reader: Statements, writer: Statements, queue: WriteQueue) {
    this.#reader = reader
    this.#writer = writer
    this.#queue = queue
  }

  async first<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row | undefined> {
    const prepared = this.#reader.of(sql)
    const row = prepared.reads
      ? prepared.first(values)
      : await this.#write(sql, (prepared) => prepared.first(values))
    return row as Row | undefined
  }

  async all<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row[]> {
    const prepared = this.#reader.of(sql)
    const rows = prepared.reads
      ? prepared.all(values)
      : await this.#write(sql, (prepared) => prepared.all(values))
    return rows as Row[]
  }

  async run(sql: TemplateStringsArray, ...values: Value[]): Promise<number> {
    return (await this.#write(sql, (prepared) => prepared.run(values))) as number
  }

  async transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    this.#inside.refuseTransaction()
    const transaction = new SqliteTransaction(this.#writer)
    const result = await this.#queue.write({
      attempt: () => this.#attempt(transaction, work),
      committed: () => transaction.committed(),
    })
    return result as Result
  }

  /** All of them are on this machine. */
  now(): Date {
    return new Date()
  }

  async ping(): Promise<void> {
    // Asks the file, which `SELECT 1` would not.
    await this.first`SELECT name FROM sqlite_schema LIMIT 1`
  }

  async emptyLog(): Promise<boolean> {
    const { connection } = this.#writer
    return this.#aside(() => emptyLog(connection))
  }

  async writeAnew(): Promise<boolean> {
    const { connection } = this.#writer
    return this.#aside(() => writeAnew(connection) && emptyLog(connection))
  }

  async close(): Promise<void> {
    await this.#queue.close()
    if (!this.#writer.connection.open) return
    // The last to close also moves the log into the file; a reader cannot.
    this.#reader.connection.close()
    this.#writer.connection.close()
  }

  async #aside(work: () => boolean): Promise<boolean> {
    this.#inside.refuseWait()
    return (await this.#queue.aside(work)) as boolean
  }

  async #write(sql: TemplateStringsArray, work: (prepared: Prepared) => unknown): Promise<unknown> {
    this.#inside.refuseWrite(sql)
    // One statement is whole or absent by itself: it takes no savepoint.
    return this.#queue.write({ attempt: () => work(this.#writer.of(sql)) })
  }

  async #attempt(
    transaction: SqliteTransaction,
    work: (tx: Tx) => Promise<unknown>,
  ): Promise<unknown> {
    const { connection } = this.#writer
    connection.exec('SAVEPOINT work')
    try {
      const result = await this.#inside.run(transaction, work)
      connection.exec('RELEASE work')
      return result
    } catch (error) {
      if (connection.inTransaction) connection.exec('ROLLBACK TO work; RELEASE work')
      throw error
    }
  }
}

function endProcess(error: unknown): void {
  setImmediate(() => {
    throw error
  })
}
