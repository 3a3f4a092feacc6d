import { errorCode } from '../../base/error-code.ts'
import type { StatementContext } from '../advice.ts'
import { DatabaseBusy } from '../db.ts'
import { NoAnswer } from '../server/no-answer.ts'
import { type Answer, rowOf } from '../server/answer.ts'
import type { Host } from '../server/url.ts'
import type { PostgresUrl } from './connection/url.ts'
import { causeOf, unreachable, WrongServer } from '../server/unreachable.ts'
import { quoted } from '../statement.ts'
import {
  busyOf,
  HungUp,
  isLoss,
  lacksRight,
  reasons,
  StandsBy,
  standsBy,
} from './connection/errors.ts'
import { type Client, clientOf } from './connection/client.ts'
import { inOrder, noteFound } from './connection/host-order.ts'
import { idle, limits, readCommitted, silenceOf } from './connection/limits.ts'
import { refuseLending } from './connection/lent-session.ts'

interface CommandAnswer<Row> extends Answer<Row> {
  /** The command that the server ran: for a `COMMIT` in a failed transaction, `ROLLBACK`. */
  readonly command: string
}

/** The oldest supported server (spec: Versioning). */
const oldest = 18

/** One connection to the server. Once lost, it stays lost. */
export class Connection {
  readonly #client: Client
  readonly #lost: AbortController
  readonly #patience: number | undefined
  readonly #isPooled: boolean
  #context: StatementContext | undefined
  #session = 0

  private constructor(
    client: Client,
    lost: AbortController,
    { patience, isPooled }: ConnectionSettings,
  ) {
    this.#client = client
    this.#lost = lost
    this.#patience = patience
    this.#isPooled = isPooled
  }

  /**
   * Connects to the first usable host (`inOrder`). Throws an error with advice if there is none. `patience`:
   * milliseconds after which a statement is given up and its connection closed; unlimited if absent.
   */
  static async open(url: PostgresUrl, options: OpenOptions = {}): Promise<Connection> {
    const refusals: unknown[] = []
    for (const host of inOrder(url))
      try {
        const connection = await Connection.#openAt(url, host, options)
        noteFound(url, host)
        return connection
      } catch (error) {
        refusals.push(unreachable(error, url, { at: host, reasons }))
      }
    // The first refusal is the most informative, unless that server is merely a standby.
    throw refusals.find((error) => !standsBy(error)) ?? refusals[0]
  }

  static async #openAt(
    url: PostgresUrl,
    host: Host,
    { patience, notified }: OpenOptions,
  ): Promise<Connection> {
    const lost = new AbortController()
    const closed = () => lost.abort(new DatabaseBusy('The connection to the database was lost.'))
    const client = clientOf(url, host, { closed, ...(notified && { notified }) })
    const connection = new Connection(client, lost, { patience, isPooled: !url.prepare })
    try {
      // Always limited: a full pooler makes new connections wait for ever.
      const limit = patience ?? 2000 * url.connectTimeout
      const openOther = () =>
        Connection.#openAt({ ...url, prepare: false }, host, { patience: limit / 2 })
      await connection.#inTime(connection.#prepare(url, host, openOther), limit)
      return connection
    } catch (error) {
      void connection.end()
      const isSecured = url.sslmode === 'require' || url.sslmode === 'verify-full'
      throw isSecured && errorCode(causeOf(error)) === 'ECONNRESET'
        ? new HungUp('', { cause: error })
        : error
    }
  }

  /** Aborted when the connection is gone. */
  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** The version of the server, such as `18.4`. */
  get version(): string {
    return String(this.#client.parameters['server_version'])
  }

  /** The process ID of the session that it had when it was opened: behind a pooler in transaction mode, for a moment. */
  get session(): number {
    return this.#session
  }

  /** Sends a statement without waiting for earlier ones. Throws `DatabaseBusy` once the connection is lost. */
  async ask<Row>(text: string, values: readonly unknown[] = []): Promise<CommandAnswer<Row>> {
    return this.#run((client) => client.unsafe<Row[]>(text, values as never[], { prepare: true }))
  }

  /** Begins a transaction that the server ends after a long silence. Behind a pooler, sets that limit itself. */
  async begin(): Promise<void> {
    const begin = `BEGIN ${readCommitted}`
    const silence = silenceOf(this.#patience)
    await this.ask(
      this.#isPooled && silence > 0 ? `${begin}; SET LOCAL ${idle} = ${silence}` : begin,
    )
  }

  /** Runs the rest of the transaction as another role, with the current search path. */
  async actFor(role: string): Promise<void> {
    await this.script(`
      -- First: what it says may differ from role to role.
      SELECT set_config('search_path', string_agg(quote_ident(name), ', '), true)
      FROM unnest(current_schemas(false)) AS seen (name);
      SET LOCAL ROLE ${quoted(role)}`)
    if (this.#context) this.#context = { ...this.#context, user: quoted(role) }
  }

  /** Runs several statements without values in one round trip. */
  async script(text: string): Promise<void> {
    await this.#run((client) => client.unsafe(text).simple())
  }

  /** Runs a statement without values, and returns each row as an array of its columns' values. */
  async rows(text: string): Promise<unknown[][]> {
    return Array.from(await this.#run((client) => client.unsafe(text).values()))
  }

  /** Closes the connection, even if a statement is running. */
  async end(): Promise<void> {
    this.#lost.abort(new Error('The connection to the database was closed.'))
    await this.#client.closeSoon()
  }

  async #run<Result>(ask: (client: Client) => PromiseLike<Result>): Promise<Result> {
    if (this.lost.aborted) throw busyOf(this.lost.reason)
    try {
      return await this.#inTime(ask(this.#client))
    } catch (error) {
      // Keeps later statements from the client, which would reconnect for them.
      if (isLoss(error)) this.#lost.abort(error)
      throw busyOf(lacksRight(error) ? Object.assign(error, { context: this.#context }) : error)
    }
  }

  async #inTime<Result>(answer: PromiseLike<Result>, patience = this.#patience): Promise<Result> {
    if (patience === undefined) return answer
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      const error = new NoAnswer()
      this.#lost.abort(error)
      void this.#client.destroy()
      late.reject(error)
    }, patience)
    try {
      return await Promise.race([answer, late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async #prepare(
    { prepare, readWrite, database }: PostgresUrl,
    host: Host,
    openOther: () => Promise<Connection>,
  ): Promise<void> {
    // Before the limits: an older server does not know all of them.
    const { state, isPooler } = await this.#askState()
    if (prepare) {
      if (isPooler) await refuseLending(host, this.#session, openOther)
      await this.script(limits(this.#patience))
    }
    this.#context = {
      schema: state.schema === null ? '…' : quoted(state.schema),
      user: quoted(state.user),
    }
    if (state.encoding !== 'UTF8')
      throw new Error(
        `The database ${database} is kept in ${state.encoding}: make one in UTF8, such as by CREATE DATABASE ${database} ENCODING 'UTF8' TEMPLATE template0.`,
      )
    if (readWrite && state.readsOnly) throw new StandsBy()
  }

  async #askState(): Promise<{ state: ServerState; isPooler: boolean }> {
    const rows = await this.#run((client) =>
      client
        .unsafe<ServerState[]>(
          `SELECT current_setting('server_encoding') AS encoding,
            current_setting('transaction_read_only') = 'on' AS reads_only,
            current_schema() AS schema, current_user AS user, pg_backend_pid() AS session`,
        )
        .simple(),
    )
    if (Number.parseInt(this.version, 10) < oldest)
      throw new WrongServer(`is PostgreSQL ${this.version}, and must be ${oldest} or newer`)
    const state = rowOf(rows)
    this.#session = state.session
    // A pooler names a session of its own.
    return { state, isPooler: rows.state.pid !== state.session }
  }
}

interface ConnectionSettings {
  readonly patience: number | undefined
  /** Whether this is a connection to a pooler, which lends a server connection for each transaction. */
  readonly isPooled: boolean
}

interface OpenOptions {
  readonly patience?: number
  /** Called with each notification on the channels that the connection listens to. */
  readonly notified?: (payload: string) => void
}

interface ServerState {
  readonly encoding: string
  readonly readsOnly: boolean
  readonly schema: string | null
  readonly user: string
  readonly session: number
}
