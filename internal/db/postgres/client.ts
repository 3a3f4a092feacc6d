import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import { environment } from '../../base/settings/config.ts'
import { appName } from '../../../web/contract/name.ts'
import postgres from 'postgres'
import { camelCase } from '../statement.ts'
import type { Host } from '../server/url.ts'
import type { PostgresUrl } from './url.ts'

// This is the one file that imports the client.
export type Client = ReturnType<typeof clientOf>

interface Heard {
  /** It is gone, also when nothing was asked of it. */
  readonly closed: () => void
  /** Of the channels that it listens to. */
  readonly told?: (payload: string) => void
}

/**
 * A client of one connection, which it makes when it is first asked something. It is never asked again once it was
 * closed: it would connect anew by itself, in the middle of a transaction too.
 */
export function clientOf(url: PostgresUrl, at: Host, { closed, told }: Heard) {
  forgetOthers()
  // Which the client's types do not have.
  const connecting: object = { socket: connectingOnce(url, at) }
  return postgres({
    ...connecting,
    host: at.host,
    port: at.port,
    ssl: isFolder(at) ? false : tlsOf(url, at.host),
    user: url.user,
    // As a function, or an empty one would be taken from the environment.
    password: () => url.password,
    database: url.database,
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    // Seconds: a server whose machine is gone is missed half a minute later, also by who waits for a long answer.
    keep_alive: 10,
    connect_timeout: url.connectTimeout,
    prepare: url.prepare,
    fetch_types: false,
    connection: {
      application_name: appName,
      TimeZone: 'UTC',
      DateStyle: 'ISO',
      ...(url.schema !== undefined && { search_path: url.schema }),
    },
    types,
    transform: { column: { from: camelCase } },
    onnotice: () => {},
    onclose: closed,
    ...(told && { onnotify: (_: string, payload: string) => told(payload) }),
  })
}

/** DB_URL alone says how: of PGTARGETSESSIONATTRS and its like no option keeps the client. */
function forgetOthers(): void {
  const set: Record<string, string | undefined> = environment()
  for (const name of Object.keys(set)) if (name.startsWith('PG')) delete set[name]
}

/** A server that hangs up before it has answered is otherwise connected to anew, at once and for ever. */
function connectingOnce({ connectTimeout }: PostgresUrl, at: Host): () => Promise<Socket> {
  let isAsked = false
  return async () => {
    if (isAsked) throw failed('ECONNRESET', 'the server hung up')
    isAsked = true
    const socket = connect(
      isFolder(at) ? { path: `${at.host}/.s.PGSQL.${at.port}` } : { host: at.host, port: at.port },
    )
    const late = setTimeout(
      () => socket.destroy(failed('CONNECT_TIMEOUT', 'the server does not answer')),
      connectTimeout * 1000,
    )
    await once(socket, 'connect').finally(() => clearTimeout(late))
    // By which the client asks for a certificate, and names it in what it says.
    return Object.assign(socket, at)
  }
}

/** What the server was at when it refused. */
export function failedIn(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? routines.get(error) : undefined
}

const routines = new WeakMap<Error, string>()

// By it the client knows a prepared statement that suits no more, and asks it again by itself: in a transaction that is
// over, or after it. So it is kept where the client does not look.
Object.defineProperty(postgres.PostgresError.prototype, 'routine', {
  set(this: Error, routine: string) {
    routines.set(this, routine)
  },
})

function failed(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

/** Of a Unix socket. */
function isFolder({ host }: Host): boolean {
  return host.startsWith('/')
}

/**
 * JSON is text to us, and integers are numbers, as far as these hold them exactly. Bytes are read in either way that a
 * role or a server may have them written (`bytea_output`): the client knows one, and makes a byte or two of the other.
 */
const types = {
  bytea: {
    to: 17,
    from: [17],
    serialize: (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}`,
    parse: bytesOf,
  },
  json: { to: 114, from: [114, 3802], serialize: String, parse: (text: string) => text },
  bigint: { to: 20, from: [20], serialize: String, parse: integerOf },
}

function integerOf(text: string): number | bigint {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
}

function bytesOf(text: string): Buffer {
  if (text.startsWith('\\x')) return Buffer.from(text.slice(2), 'hex')
  const characters = text.replace(/\\(\\|[0-7]{3})/g, (_, byte: string) =>
    byte === '\\' ? byte : String.fromCharCode(Number.parseInt(byte, 8)),
  )
  return Buffer.from(characters, 'latin1')
}

function tlsOf({ sslmode, certificates }: PostgresUrl, host: string) {
  if (sslmode === 'disable') return false
  if (sslmode === 'prefer') return 'prefer' as const
  if (sslmode === 'verify-full')
    return {
      ...(certificates !== undefined && { ca: certificates }),
      // The client names no host that is an address.
      checkServerIdentity: (_: string, found: Parameters<typeof checkServerIdentity>[1]) =>
        checkServerIdentity(host, found),
    }
  // As PostgreSQL's own programs: with certificates the one who signed has to be known, whatever the host's name.
  return certificates === undefined
    ? { rejectUnauthorized: false }
    : { ca: certificates, checkServerIdentity: () => undefined }
}
