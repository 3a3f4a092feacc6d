import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import { environment } from '../../../base/settings/config.ts'
import { appName } from '../../../../web/contract/name.ts'
import postgres from 'postgres'
import { camelCase } from '../../statement.ts'
import type { Host } from '../../server/url.ts'
import type { PostgresUrl } from './url.ts'

// The only file that imports the client.
export type Client = ReturnType<typeof clientOf>

interface ConnectionEvents {
  /** Called when the connection is gone, even while no statement is running. */
  readonly closed: () => void
  /** Called with each notification on the channels that the connection listens to. */
  readonly notified?: (payload: string) => void
}

/**
 * Creates a client with one connection, opened by its first statement. Send nothing more once that connection is
 * closed: the client would reconnect by itself, even in the middle of a transaction.
 */
export function clientOf(url: PostgresUrl, at: Host, { closed, notified }: ConnectionEvents) {
  forgetOthers()
  let socket: Socket | undefined
  // The client's types lack this option.
  const connecting: object = { socket: connectingOnce(url, at, (made) => void (socket = made)) }
  const client = postgres({
    ...connecting,
    host: at.host,
    port: at.port,
    ssl: isFolder(at) ? false : tlsOf(url, at.host),
    user: url.user,
    // A function, because the client would replace an empty password with one from the environment.
    password: () => url.password,
    database: url.database,
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    // Seconds: the loss of the server's machine is noticed within half a minute, even while waiting for a long answer.
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
    ...(notified && { onnotify: (_: string, payload: string) => notified(payload) }),
  })
  // The client itself would wait for the server to close its side, which keeps the process running if it hangs.
  const close = async (how: 'destroySoon' | 'destroy') => {
    await client.end({ timeout: 0 })
    socket?.[how]()
  }
  return Object.assign(client, {
    /** Closes the connection, even if a statement is running, once what was written is on its way. */
    closeSoon: () => close('destroySoon'),
    /** Closes the connection at once: the server no longer reads. */
    destroy: () => close('destroy'),
  })
}

/** Deletes PGTARGETSESSIONATTRS and the like: only DB_URL counts, but the client would read them too. */
function forgetOthers(): void {
  const set: Record<string, string | undefined> = environment()
  for (const name of Object.keys(set)) if (name.startsWith('PG')) delete set[name]
}

/**
 * Connects only once. If a server hangs up before answering, the client would otherwise reconnect for ever. `made` is
 * called with the socket before it is connected.
 */
function connectingOnce(
  { connectTimeout }: PostgresUrl,
  at: Host,
  made: (socket: Socket) => void,
): () => Promise<Socket> {
  let hasBeenCalled = false
  return async () => {
    if (hasBeenCalled) throw failed('ECONNRESET', 'the server hung up')
    hasBeenCalled = true
    const socket = connect(
      isFolder(at) ? { path: `${at.host}/.s.PGSQL.${at.port}` } : { host: at.host, port: at.port },
    )
    made(socket)
    const late = setTimeout(
      () => socket.destroy(failed('CONNECT_TIMEOUT', 'the server does not answer')),
      connectTimeout * 1000,
    )
    await once(socket, 'connect').finally(() => clearTimeout(late))
    // The client reads the host name for the certificate and for its messages from the socket.
    return Object.assign(socket, at)
  }
}

/** Returns the server routine that raised an error, such as `CheckMyDatabase`; undefined for other errors. */
export function failedIn(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError ? routines.get(error) : undefined
}

const routines = new WeakMap<Error, string>()

// The client recognizes an outdated prepared statement by the error's routine, and would rerun it by itself: in a
// failed transaction, or after its end. So the routine is stored where the client does not look.
Object.defineProperty(postgres.PostgresError.prototype, 'routine', {
  set(this: Error, routine: string) {
    routines.set(this, routine)
  },
})

function failed(code: string, message: string): Error {
  return Object.assign(new Error(message), { code })
}

/** Whether a host is the folder of a Unix socket. */
function isFolder({ host }: Host): boolean {
  return host.startsWith('/')
}

/**
 * Keeps JSON as text, and integers as numbers where those are exact. Bytes are read in both formats that a role or a
 * server may have set (`bytea_output`): the client knows only one, and misreads the other.
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
      // Compares with our own `host`: if that is an IP address, the client passes none.
      checkServerIdentity: (_: string, certificate: Parameters<typeof checkServerIdentity>[1]) =>
        checkServerIdentity(host, certificate),
    }
  // Like PostgreSQL's own programs: one of the given certificates must have signed the server's, whatever the host.
  return certificates === undefined
    ? { rejectUnauthorized: false }
    : { ca: certificates, checkServerIdentity: () => undefined }
}
