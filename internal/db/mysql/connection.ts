import { DatabaseBusy } from '../db.ts'
import { NoAnswer } from '../server/no-answer.ts'
import { type Answer, rowOf } from '../server/answer.ts'
import { statementLimit } from '../server/statement-limit.ts'
import { unreachable, WrongServer } from '../server/unreachable.ts'
import type { ServerUrl } from '../server/url.ts'
import { camelCase } from '../statement.ts'
import {
  connect,
  type RawResult,
  type Client,
  type Column,
  type Statement,
} from './connection/client.ts'
import { busyOf, isLoss, reasons, withContext } from './connection/errors.ts'

/** The oldest supported server (spec: Versioning). */
const oldest = '8.4'

/** The single row that a write returns. */
export interface Wrote {
  /** The ID it assigned, or the last value of LAST_INSERT_ID(…) in it; else 0. */
  readonly insertId: number
  /** How many rows it matched. */
  readonly matched: number
}

/** The answers to statements that were sent together, up to the first failure. */
interface Answers {
  readonly answers: readonly Answer[]
  readonly error?: unknown
}

interface OpenOptions {
  /** Milliseconds after which a statement is given up and its connection closed; unlimited if absent. */
  readonly patience?: number
}

// Seconds: practically unlimited.
const year = 31_536_000

/** One connection to the server. Once lost, it stays lost. */
export class Connection {
  readonly #client: Client
  readonly #lost: AbortController
  readonly #patience: number | undefined
  readonly #database: string
  #version = ''

  private constructor(
    client: Client,
    lost: AbortController,
    { patience, database }: OpenOptions & Pick<ServerUrl, 'database'>,
  ) {
    this.#client = client
    this.#lost = lost
    this.#patience = patience
    this.#database = database
  }

  /** Connects. Throws an error with advice if that fails. */
  static async open(url: ServerUrl, { patience }: OpenOptions = {}): Promise<Connection> {
    const [at = { host: '', port: 0 }] = url.hosts
    const lost = new AbortController()
    const closed = () => lost.abort(new DatabaseBusy('The connection to the database was lost.'))
    try {
      const connection = new Connection(await connect(url, at, closed), lost, {
        patience,
        database: url.database,
      })
      await connection.#prepare()
      return connection
    } catch (error) {
      throw unreachable(error, url, { at, reasons })
    }
  }

  /** Aborted when the connection is gone. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** The version of the server, such as `8.4.6`. */
  get version(): string {
    return this.#version
  }

  /**
   * The statements to send at the beginning of a transaction (`short`) and at its end (`long`). In between the server
   * closes a connection that is silent for long, so that a process that hangs, or whose machine is gone, does not keep
   * its locks.
   */
  get silence(): { readonly short: Statement; readonly long: Statement } {
    const seconds = this.#patience === undefined ? year : Math.ceil((2 * this.#patience) / 1000)
    return { short: setWaitTimeout(seconds), long: setWaitTimeout(year) }
  }

  /**
   * Runs a statement. Returns rows with camelCase names; for a write one row, a `Wrote`. Throws `DatabaseBusy` once
   * the connection is lost.
   */
  async ask<Row>(text: string, values: readonly unknown[] = []): Promise<Answer<Row>> {
    return answerOf(await this.#run(() => this.#client.ask(text, values)))
  }

  /**
   * Runs several statements that are sent together, of which only the last may return rows. They run until one fails:
   * its error comes with the answers to those before it, and those after it did not run.
   */
  async askTogether(statements: readonly Statement[]): Promise<Answers> {
    try {
      const [only] = statements
      if (only && statements.length === 1) return { answers: [await this.#askOne(only)] }
      const { results, error } = await this.#run(() => this.#client.askTogether(statements))
      return { answers: results.map(answerOf), ...(error && { error: this.#failed(error) }) }
    } catch (error) {
      return { answers: [], error }
    }
  }

  /** Runs a statement that is used once or cannot be prepared. */
  async script<Row>(text: string, values: readonly unknown[] = []): Promise<Answer<Row>> {
    return answerOf(await this.#run(() => this.#client.askOnce(text, values)))
  }

  /** Runs a statement, and returns each row as an array of its columns' values. */
  async rows(text: string, values: readonly unknown[] = []): Promise<unknown[][]> {
    const { rows, columns } = await this.#run(() => this.#client.askOnce(text, values))
    return rows.map((row) => row.map((value, at) => valueOf(value, columns[at])))
  }

  /** Closes the connection, even if a statement is running. */
  async end(): Promise<void> {
    this.#lost.abort(new Error('The connection to the database was closed.'))
    this.#client.closeSoon()
  }

  /** Preparing a statement without values gains nothing. */
  #askOne({ text, values }: Statement): Promise<Answer> {
    return values.length > 0 ? this.ask(text, values) : this.script(text)
  }

  async #run<Result>(ask: () => Promise<Result>): Promise<Result> {
    if (this.lost.aborted) throw busyOf(this.lost.reason)
    try {
      return await this.#inTime(ask())
    } catch (error) {
      throw this.#failed(error)
    }
  }

  #failed(error: unknown): unknown {
    if (isLoss(error)) this.#lost.abort(error)
    return busyOf(withContext(error, this.#database))
  }

  async #inTime<Result>(answer: Promise<Result>): Promise<Result> {
    if (this.#patience === undefined) return answer
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      const error = new NoAnswer()
      this.#lost.abort(error)
      this.#client.destroy()
      late.reject(error)
    }, this.#patience)
    try {
      return await Promise.race([answer, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async #prepare(): Promise<void> {
    try {
      await this.#refuseOther()
      await this.script(`SET ${[...settings, ...waitLimits(this.#patience)].join(', ')}`)
    } catch (error) {
      await this.end()
      throw error
    }
  }

  async #refuseOther(): Promise<void> {
    const server = rowOf(await this.script<{ version: string }>('SELECT VERSION() AS version'))
    this.#version = /^[\d.]+/.exec(server.version)?.[0] ?? server.version
    const product = /mariadb/i.test(server.version) ? 'MariaDB' : 'MySQL'
    if (product === 'MariaDB' || isOlder(this.#version))
      throw new WrongServer(`is ${product} ${this.#version}, and must be MySQL ${oldest} or newer`)
  }
}

/**
 * The settings of a session, whatever the server's own are: UTC, strict values, names in double quotes as in other
 * databases, enforced foreign keys, and no limits meant for interactive use.
 */
const settings = [
  'NAMES utf8mb4 COLLATE utf8mb4_0900_bin',
  "time_zone = '+00:00'",
  "transaction_isolation = 'READ-COMMITTED'",
  "sql_mode = 'ANSI_QUOTES,ONLY_FULL_GROUP_BY,STRICT_ALL_TABLES,NO_ZERO_IN_DATE,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO'",
  'autocommit = 1',
  `wait_timeout = ${year}`,
  'foreign_key_checks = 1',
  'unique_checks = 1',
  'sql_safe_updates = 0',
  'sql_select_limit = 18446744073709551615',
  "default_storage_engine = 'InnoDB'",
  // Reads a table's highest assigned ID afresh rather than from a cache.
  'information_schema_stats_expiry = 0',
]

function setWaitTimeout(seconds: number): Statement {
  return { text: `SET wait_timeout = ${seconds}`, values: [] }
}

/** Makes the server cancel reads before we give up, and lock waits even earlier, so that there is time to rerun. */
function waitLimits(patience: number | undefined): readonly string[] {
  if (patience === undefined) return ['max_execution_time = 0']
  const seconds = Math.max(1, Math.floor(patience / 2000))
  return [
    `max_execution_time = ${statementLimit(patience)}`,
    `innodb_lock_wait_timeout = ${seconds}`,
    `lock_wait_timeout = ${seconds}`,
  ]
}

function isOlder(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [least = 0, then = 0] = oldest.split('.').map(Number)
  return major < least || (major === least && minor < then)
}

function answerOf<Row>(brought: RawResult): Answer<Row> {
  return Object.assign(rowsOf(brought) as Row[], { count: brought.matched })
}

function rowsOf({ rows, columns, matched, insertId }: RawResult): unknown[] {
  if (columns.length === 0) return [{ insertId, matched } satisfies Wrote]
  const names = columns.map(({ name }) => camelCase(name))
  return rows.map((row) =>
    Object.fromEntries(names.map((name, at) => [name, valueOf(row[at], columns[at])])),
  )
}

/** Integers that a number cannot represent exactly arrive as text. */
function valueOf(value: unknown, column: Column | undefined): unknown {
  if (column?.isBoolean && typeof value === 'number') return value === 1
  if (column?.isInteger && typeof value === 'string') return BigInt(value)
  return value
}
