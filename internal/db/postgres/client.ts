import { checkServerIdentity } from 'node:tls'
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
  readonly told?: ((payload: string) => void) | undefined
}

/**
 * A client of one connection, which it makes when it is first asked something. It is never asked again once it was
 * closed: it would connect anew by itself, in the middle of a transaction too.
 */
export function clientOf(url: PostgresUrl, at: Host, { closed, told }: Heard) {
  const isSocket = at.host.startsWith('/')
  return postgres({
    ...(isSocket
      ? { path: `${at.host}/.s.PGSQL.${at.port}` }
      : { host: at.host, port: at.port, ssl: tlsOf(url, at.host) }),
    user: url.user,
    // As a function, or an empty one would be taken from the environment.
    password: () => url.password,
    database: url.database,
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    // Seconds: a server whose machine is gone is missed half a minute later, also by who only listens.
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

/** JSON is text to us, and integers are numbers, as far as these hold them exactly. */
const types = {
  json: { to: 114, from: [114, 3802], serialize: String, parse: (text: string) => text },
  bigint: { to: 20, from: [20], serialize: String, parse: integerOf },
}

function integerOf(text: string): number | bigint {
  const number = Number(text)
  return Number.isSafeInteger(number) ? number : BigInt(text)
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
