import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Database, DatabaseOptions, Db, Tx, Value } from '../db.ts'
import { Inside } from '../transaction.ts'
import { fileOf } from './address.ts'
import { openWriter } from './connection.ts'
import { OpenFiles } from './file/open-files.ts'
import { Reading } from './connection/reading.ts'
import { WriteQueue } from './connection/write-queue.ts'
import { emptyLog, writeAnew } from './file/remains.ts'
import { Statements, type Prepared } from './connection/rows.ts'
import { SqliteTransaction } from './connection/transaction.ts'

/**
 * Opens the SQLite file, creating it if needed. An unusable file throws an error that names it and says what to do;
 * one that stays locked throws `DatabaseBusy`.
 */
export async function openDatabase(
  address: DatabaseAddress,
  { wait = 5000, fatal = endProcess, mended = () => {} }: DatabaseOptions = {},
): Promise<Database> {
  const path = fileOf(address)
  const writer = await openWriter(path, wait)
  let openedReading: Reading | undefined
  try {
    const reading = new Reading(path)
    openedReading = reading
    const files = new OpenFiles(path, { writer, reading, mended })
    const queue = new WriteQueue(writer, {
      wait,
      fatal,
      beforeTransaction: () => files.ensureInPlace(),
      beforeCommit: () => reading.renew(),
      afterTransaction: () => files.changed(),
    })
    return new SqliteDatabase({
      reading,
      files,
      writer: new Statements(writer),
      queue,
      inside: new Inside(),
    })
  } catch (error) {
    openedReading?.close()
    writer.close()
    throw error
  }
}

interface Parts {
  readonly reading: Reading
  readonly files: OpenFiles
  readonly writer: Statements
  readonly queue: WriteQueue
  readonly inside: Inside
}

/** Reads on one connection without waiting; writes on another through the queue. */
class SqliteDb implements Db {
  readonly #parts: Parts
  readonly #isSynced: boolean

  constructor(parts: Parts, isSynced: boolean) {
    this.#parts = parts
    this.#isSynced = isSynced
  }

  async first<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row | undefined> {
    const { inside, reading } = this.#parts
    inside.refuseStatement(sql)
    if (reading.isRefused) await this.#ensureFiles()
    const prepared = reading.of(sql)
    const row = prepared.reads
      ? prepared.first(values)
      : await this.#write(sql, (prepared) => prepared.first(values))
    return row as Row | undefined
  }

  async all<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row[]> {
    const { inside, reading } = this.#parts
    inside.refuseStatement(sql)
    if (reading.isRefused) await this.#ensureFiles()
    const prepared = reading.of(sql)
    const rows = prepared.reads
      ? prepared.all(values)
      : await this.#write(sql, (prepared) => prepared.all(values))
    return rows as Row[]
  }

  async run(sql: TemplateStringsArray, ...values: Value[]): Promise<number> {
    return this.#write(sql, (prepared) => prepared.run(values))
  }

  async #ensureFiles(): Promise<void> {
    const { queue, files } = this.#parts
    await queue.aside(() => files.ensureInPlace())
  }

  async #write<Result>(
    sql: TemplateStringsArray,
    work: (prepared: Prepared) => Result,
  ): Promise<Result> {
    const { inside, queue, writer } = this.#parts
    inside.refuseStatement(sql)
    // A single statement is atomic, so it needs no savepoint.
    return queue.write({ attempt: () => work(writer.of(sql)), isSynced: this.#isSynced })
  }
}

class SqliteDatabase extends SqliteDb implements Database {
  readonly unsynced: Db
  readonly #writer: Statements
  readonly #queue: WriteQueue
  readonly #inside: Inside
  readonly #files: OpenFiles

  constructor(parts: Parts) {
    super(parts, true)
    this.unsynced = new SqliteDb(parts, false)
    this.#writer = parts.writer
    this.#queue = parts.queue
    this.#inside = parts.inside
    this.#files = parts.files
  }

  async transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result> {
    this.#inside.refuseTransaction()
    const transaction = new SqliteTransaction(this.#writer)
    return this.#queue.write({
      attempt: () => this.#attempt(transaction, work),
      committed: () => transaction.committed(),
      isSynced: true,
    })
  }

  /** The machine's clock: all processes that use the database run on this machine. */
  now(): Date {
    return new Date()
  }

  async ping(): Promise<void> {
    if (this.#writer.connection.open && !this.#files.areInPlace())
      await this.#queue.aside(() => this.#files.ensureInPlace())
    // Reads the file: `SELECT 1` would not, and the writer answers from memory what it has written.
    await this.first`SELECT name FROM sqlite_schema LIMIT 1`
  }

  async emptyLog(): Promise<boolean> {
    const { connection } = this.#writer
    // Another server holds a read transaction for one turn of its event loop at a time: this succeeds between two of
    // them.
    for (let tries = 50; tries > 0; tries--) {
      if (await this.#aside(() => emptyLog(connection))) return true
      await pause(10)
    }
    return false
  }

  async writeAnew(): Promise<boolean> {
    const { connection } = this.#writer
    return this.#aside(() => writeAnew(connection) && emptyLog(connection))
  }

  async close(): Promise<void> {
    await this.#queue.close()
    if (!this.#writer.connection.open) return
    this.#files.close()
  }

  async #aside(work: () => boolean): Promise<boolean> {
    this.#inside.refuseWait()
    return this.#queue.aside(work)
  }

  async #attempt<Result>(
    transaction: SqliteTransaction,
    work: (tx: Tx) => Promise<Result>,
  ): Promise<Result> {
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
