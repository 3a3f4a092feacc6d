import { once } from 'node:events'
import { connect as connectTo, isIP } from 'node:net'
import mysql, { type Connection as Core, type ConnectionOptions, type FieldPacket } from 'mysql2'
import { errorCode } from '../../base/error-code.ts'
import { appName } from '../../../web/contract/name.ts'
import type { Host, ServerUrl } from '../server/url.ts'

// This is the one file that imports the client.

/** What a statement brought: rows as the values of their columns, or what a write did. */
export interface Brought {
  readonly rows: readonly unknown[][]
  readonly columns: readonly Column[]
  /** Of a write: how many rows it found to write. */
  readonly found: number
  /** Of a write: the ID that it gave, or the last value of LAST_INSERT_ID(…) in it; else 0. */
  readonly insertId: number
}

/** What is asked: a text with a ? for each value. */
export interface Statement {
  readonly text: string
  readonly values: readonly unknown[]
}

/** What those brought that went before one failed, or all. */
export interface BroughtTogether {
  readonly brought: readonly Brought[]
  readonly error?: Error
}

export interface Column {
  readonly name: string
  readonly isBoolean: boolean
  readonly isInteger: boolean
}

/** A connection of the client. Once it is closed it stays so. */
export interface Client {
  /** Asks it prepared, where that is wanted, or with the values in its text. */
  ask(text: string, values: readonly unknown[]): Promise<Brought>
  /** Asks it with the values in its text. */
  askOnce(text: string, values?: readonly unknown[]): Promise<Brought>
  /** Asks several in one message, with the values in their text. The last alone may bring rows. */
  askTogether(statements: readonly Statement[]): Promise<BroughtTogether>
  /** Closes it, whatever is under way on it. */
  destroy(): void
}

/** Connects. `closed` is told when it is gone, also when nothing was asked of it. */
export async function connect(url: ServerUrl, at: Host, closed: () => void): Promise<Client> {
  const isSocket = at.host.startsWith('/')
  const { sslmode } = url
  if (isSocket || sslmode === 'disable') return opened(url, at, { closed })
  try {
    return await opened(url, at, { closed, ssl: tlsOf(url) })
  } catch (error) {
    const hasNone = errorCode(error) === 'HANDSHAKE_NO_SSL_SUPPORT'
    if (sslmode !== 'prefer' || !hasNone) throw error
    return opened(url, at, { closed })
  }
}

interface Way {
  readonly closed: () => void
  readonly ssl?: NonNullable<ConnectionOptions['ssl']>
}

async function opened(url: ServerUrl, at: Host, { closed, ssl }: Way): Promise<Client> {
  const core = mysql.createConnection({
    ...placeOf(at, ssl),
    ...(ssl && { ssl }),
    user: url.user,
    password: url.password,
    database: url.database,
    connectTimeout: url.connectTimeout * 1000,
    // Names of functions are names of columns too; a write counts what it found, changed or not.
    flags: ['-IGNORE_SPACE', 'FOUND_ROWS'],
    // Values never stand in a text but as the client writes them down.
    multipleStatements: true,
    rowsAsArray: true,
    supportBigNumbers: true,
    decimalNumbers: true,
    timezone: 'Z',
    disableEval: true,
    connectAttributes: { program_name: appName },
  })
  // Whoever asked is told; what comes when nobody did ends it.
  core.on('error', () => core.destroy())
  try {
    await once(core, 'connect')
  } catch (error) {
    core.destroy()
    throw error
  }
  streamOf(core).once('close', closed)
  // It takes nothing from then on, and is closed a moment later.
  core.once('error', closed)
  return {
    ask: (text, values) => asked(core, url.prepare ? 'execute' : 'query', { text, values }),
    askTogether: (statements) => askedTogether(core, statements),
    askOnce: (text, values = []) => asked(core, 'query', { text, values }),
    destroy: () => core.destroy(),
  }
}

function streamOf(core: Core): NodeJS.EventEmitter {
  return (core as unknown as { stream: NodeJS.EventEmitter }).stream
}

type Tls = NonNullable<Way['ssl']>

/**
 * The client checks a certificate against names alone; for an address it takes `localhost`. With a dot at its end an
 * address passes as a name, and TLS compares it as an address again.
 */
function placeOf(at: Host, ssl: Way['ssl']): ConnectionOptions {
  if (at.host.startsWith('/')) return { socketPath: at.host }
  const isCompared = typeof ssl === 'object' && ssl.verifyIdentity === true
  if (!isCompared || isIP(at.host) === 0) return at
  return { ...at, host: `${at.host}.`, stream: () => connectTo({ ...at, noDelay: true }) }
}

const known = new WeakMap<ServerUrl, Tls>()

/** The same for each connection to a server, by which the client reads certificates once, and a server knows it again. */
function tlsOf(url: ServerUrl): Tls {
  const tls = known.get(url) ?? newTls(url)
  known.set(url, tls)
  return tls
}

function newTls({ sslmode, certificates }: ServerUrl): Tls {
  const isChecked = sslmode === 'verify-full' || certificates !== undefined
  return {
    rejectUnauthorized: isChecked,
    // With certificates the one who signed has to be known, whatever the host's name.
    verifyIdentity: sslmode === 'verify-full',
    ...(certificates !== undefined && { ca: certificates }),
  }
}

function asked(
  core: Core,
  how: 'execute' | 'query',
  { text, values }: Statement,
): Promise<Brought> {
  return new Promise((resolve, reject) => {
    const told = (error: (Error & { code?: string }) | null, result: unknown, fields: unknown) => {
      // A few cannot be prepared, such as that which makes a trigger.
      if (error?.code === 'ER_UNSUPPORTED_PS') resolve(asked(core, 'query', { text, values }))
      else if (error) reject(error)
      else resolve(broughtOf(result, fields as FieldPacket[] | undefined))
    }
    core[how]({ sql: text, values: values.map(sent) as never[] }, told)
  })
}

/** Of an error the client tells alone: what writes did before it is told as it comes. */
function askedTogether(core: Core, statements: readonly Statement[]): Promise<BroughtTogether> {
  const texts = statements.map(({ text, values }) =>
    core.format(text.replace(/[;\s]+$/, ''), values.map(sent)),
  )
  return new Promise((resolve) => {
    const wrote: Brought[] = []
    // A comment ends with its line.
    const query = core.query(texts.join('\n;\n'), (error, results, fields) => {
      if (error) return resolve({ brought: wrote, error })
      const all = results as unknown as readonly unknown[]
      const of = fields as unknown as readonly (FieldPacket[] | undefined)[]
      resolve({ brought: all.map((result, at) => broughtOf(result, of[at])) })
    })
    query.on('result', (header: unknown) => void wrote.push(broughtOf(header)))
  })
}

/** A Buffer goes as bytes, any other array of them as text. */
function sent(value: unknown): unknown {
  return value instanceof Uint8Array && !Buffer.isBuffer(value) ? Buffer.from(value) : value
}

interface Header {
  readonly affectedRows: number
  readonly insertId: number
}

function broughtOf(result: unknown, fields?: readonly FieldPacket[]): Brought {
  if (!fields) {
    const { affectedRows, insertId } = result as Header
    return { rows: [], columns: [], found: affectedRows, insertId }
  }
  const rows = result as unknown[][]
  return { rows, columns: fields.map(columnOf), found: rows.length, insertId: 0 }
}

const tiny = 1
const long = 8

/** BOOLEAN is a TINYINT(1) there, and what a comparison gives a number of one digit. */
function columnOf({ name, columnType, columnLength }: FieldPacket): Column {
  const isInteger = columnType === long
  return { name, isInteger, isBoolean: columnLength === 1 && (columnType === tiny || isInteger) }
}
