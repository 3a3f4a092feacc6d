import { once } from 'node:events'
import { connect as connectTo, isIP, type Socket } from 'node:net'
import { messageOf } from '../../../base/error-message.ts'
import mysql, { type Connection as Core, type ConnectionOptions, type FieldPacket } from 'mysql2'
import { errorCode } from '../../../base/error-code.ts'
import { appName } from '../../../../web/contract/name.ts'
import type { Host, ServerUrl } from '../../server/url.ts'

// The only file that imports the client.

/** The result of a statement: rows as their columns' values, or what a write did. */
export interface RawResult {
  readonly rows: readonly unknown[][]
  readonly columns: readonly Column[]
  /** For a write: how many rows it matched. */
  readonly matched: number
  /** For a write: the ID it assigned, or the last value of LAST_INSERT_ID(…) in it; else 0. */
  readonly insertId: number
}

/** A statement with a ? for each value. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** The results of several statements: of those before the failed one, or of all. */
export interface RawResults {
  readonly results: readonly RawResult[]
  readonly error?: Error
}

export interface Column {
  readonly name: string
  readonly isBoolean: boolean
  readonly isInteger: boolean
}

/** A connection of the client. Once closed, it stays closed. */
export interface Client {
  /** Runs a statement, prepared if DB_URL allows it; otherwise with the values in its text. */
  ask(text: string, values: readonly unknown[]): Promise<RawResult>
  /** Runs a statement with the values in its text. */
  askOnce(text: string, values?: readonly unknown[]): Promise<RawResult>
  /** Runs several statements in one message, with the values in their text. Only the last may return rows. */
  askTogether(statements: readonly Statement[]): Promise<RawResults>
  /** Closes the connection, even if a statement is running, once what was written is on its way. */
  closeSoon(): void
  /** Closes the connection at once: the server no longer reads. */
  destroy(): void
}

/** Connects. `closed` is called when the connection is gone, even while no statement is running. */
export async function connect(url: ServerUrl, at: Host, closed: () => void): Promise<Client> {
  const isSocket = at.host.startsWith('/')
  const { sslmode } = url
  if (isSocket || sslmode === 'disable') return openClient(url, at, { closed })
  try {
    return await openClient(url, at, { closed, ssl: tlsOf(url) })
  } catch (error) {
    const hasNone = errorCode(error) === 'HANDSHAKE_NO_SSL_SUPPORT'
    if (sslmode !== 'prefer' || !hasNone) throw error
    return openClient(url, at, { closed })
  }
}

interface ClientOptions {
  readonly closed: () => void
  readonly ssl?: NonNullable<ConnectionOptions['ssl']>
}

async function openClient(
  url: ServerUrl,
  at: Host,
  { closed, ssl }: ClientOptions,
): Promise<Client> {
  const core = mysql.createConnection({
    ...connectionOptions(at, ssl),
    ...(ssl && { ssl }),
    user: url.user,
    password: url.password,
    database: url.database,
    connectTimeout: url.connectTimeout * 1000,
    // Allows column names that are also function names, and counts matched rows, changed or not.
    flags: ['-IGNORE_SPACE', 'FOUND_ROWS'],
    // Safe, since only the client inserts values into a text, and escapes them.
    multipleStatements: true,
    rowsAsArray: true,
    supportBigNumbers: true,
    decimalNumbers: true,
    timezone: 'Z',
    disableEval: true,
    connectAttributes: { program_name: appName },
  })
  // A statement's error goes to its caller. An error at any other time ends the connection.
  core.on('error', () => close(core, 'destroySoon'))
  try {
    await once(core, 'connect')
  } catch (error) {
    close(core, 'destroySoon')
    throw cutOf(error)
  }
  streamOf(core).once('close', closed)
  // After an error the connection accepts no statement, although its stream closes only a moment later.
  core.once('error', closed)
  return {
    ask: (text, values) => runStatement(core, url.prepare ? 'execute' : 'query', { text, values }),
    askTogether: (statements) => runTogether(core, statements),
    askOnce: (text, values = []) => runStatement(core, 'query', { text, values }),
    closeSoon: () => close(core, 'destroySoon'),
    destroy: () => close(core, 'destroy'),
  }
}

/**
 * Restores Node's own error code if the connection was cut: the client uses one code for every failed TLS handshake.
 */
function cutOf(error: unknown): unknown {
  const isCut =
    errorCode(error) === 'HANDSHAKE_SSL_ERROR' &&
    /^(Client network socket disconnected|(read|write) (ECONNRESET|EPIPE))/.test(messageOf(error))
  return isCut ? Object.assign(error as Error, { code: 'ECONNRESET' }) : error
}

/** The client itself would wait for the server to close its side, which keeps the process running if it hangs. */
function close(core: Core, how: 'destroySoon' | 'destroy'): void {
  core.destroy()
  streamOf(core)[how]()
}

function streamOf(core: Core): Socket {
  return (core as unknown as { stream: Socket }).stream
}

type Tls = NonNullable<ClientOptions['ssl']>

/**
 * Returns the host for the client, which compares a certificate only with names: an IP address becomes `localhost`.
 * With a dot at its end an address passes for a name, and Node's TLS compares it as an address again.
 */
function connectionOptions(at: Host, ssl: ClientOptions['ssl']): ConnectionOptions {
  if (at.host.startsWith('/')) return { socketPath: at.host }
  const stream = () => connectTo({ ...at, noDelay: true, ...alive })
  const isCompared = typeof ssl === 'object' && ssl.verifyIdentity === true
  return { ...at, stream, ...(isCompared && isIP(at.host) > 0 && { host: `${at.host}.` }) }
}

/**
 * Keeps routers from forgetting a silent connection, and notices the loss of the server's machine within half a
 * minute, even while waiting for a long answer.
 */
const alive = { keepAlive: true, keepAliveInitialDelay: 10_000 }

const cache = new WeakMap<ServerUrl, Tls>()

/**
 * Returns one object for all connections of a URL, so that the client reads certificates once and resumes TLS
 * sessions.
 */
function tlsOf(url: ServerUrl): Tls {
  const tls = cache.get(url) ?? newTls(url)
  cache.set(url, tls)
  return tls
}

function newTls({ sslmode, certificates }: ServerUrl): Tls {
  const isChecked = sslmode === 'verify-full' || certificates !== undefined
  return {
    rejectUnauthorized: isChecked,
    // With sslmode=require and certificates, one of them must have signed the server's, whatever the host.
    verifyIdentity: sslmode === 'verify-full',
    ...(certificates !== undefined && { ca: certificates }),
  }
}

/** The statement was not prepared: a few cannot be, such as CREATE TRIGGER, or the server keeps no more. */
const unprepared = new Set<string | undefined>([
  'ER_UNSUPPORTED_PS',
  'ER_MAX_PREPARED_STMT_COUNT_REACHED',
])

function runStatement(
  core: Core,
  how: 'execute' | 'query',
  { text, values }: Statement,
): Promise<RawResult> {
  return new Promise((resolve, reject) => {
    const settle = (
      error: (Error & { code?: string }) | null,
      result: unknown,
      fields: unknown,
    ) => {
      if (unprepared.has(error?.code)) resolve(runStatement(core, 'query', { text, values }))
      else if (error) reject(error)
      else resolve(broughtOf(result, fields as FieldPacket[] | undefined))
    }
    core[how]({ sql: text, values: values.map(encoded) as never[] }, settle)
  })
}

/** Records the results of writes as they arrive: if a statement fails, the client returns only the error. */
function runTogether(core: Core, statements: readonly Statement[]): Promise<RawResults> {
  const texts = statements.map(({ text, values }) =>
    core.format(text.replace(/[;\s]+$/, ''), values.map(encoded)),
  )
  return new Promise((resolve) => {
    const wrote: RawResult[] = []
    // Each ; is on a line of its own: a statement may end with a line comment.
    const query = core.query(texts.join('\n;\n'), (error, results, fields) => {
      if (error) return resolve({ results: wrote, error })
      const ofStatements = results as unknown as readonly unknown[]
      const of = fields as unknown as readonly (FieldPacket[] | undefined)[]
      resolve({ results: ofStatements.map((result, at) => broughtOf(result, of[at])) })
    })
    query.on('result', (header: unknown) => void wrote.push(broughtOf(header)))
  })
}

/** Converts byte arrays to a Buffer: the client would send any other kind as text. */
function encoded(value: unknown): unknown {
  return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value
}

interface Header {
  readonly affectedRows: number
  readonly insertId: number
}

function broughtOf(result: unknown, fields?: readonly FieldPacket[]): RawResult {
  if (!fields) {
    const { affectedRows, insertId } = result as Header
    return { rows: [], columns: [], matched: affectedRows, insertId }
  }
  const rows = result as unknown[][]
  return { rows, columns: fields.map(columnOf), matched: rows.length, insertId: 0 }
}

const tiny = 1
const short = 3
const long = 8

/**
 * Recognizes booleans: to MySQL a BOOLEAN column is a TINYINT(1), and a comparison's result a one-digit integer of no
 * table, which is shorter once the server has sorted or grouped the rows.
 */
function columnOf({ name, orgTable, columnType, columnLength }: FieldPacket): Column {
  const isInteger = columnType === long
  const isResult = (isInteger || columnType === short) && orgTable === ''
  return { name, isInteger, isBoolean: columnLength === 1 && (columnType === tiny || isResult) }
}
