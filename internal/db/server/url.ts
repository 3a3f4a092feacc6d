import { readFileSync } from 'node:fs'
import { X509Certificate } from 'node:crypto'

/** The parsed DB_URL (contract: Configuration) of any kind of server. */
export interface ServerUrl {
  /** In order of preference. An absolute path is a Unix socket, or its folder. */
  readonly hosts: readonly Host[]
  readonly user: string
  readonly password: string
  readonly database: string
  readonly sslmode: SslMode
  /** The trusted certificates (PEM) that may have signed the server's; Node's own if undefined. */
  readonly certificates: string | undefined
  /** The most connections for requests and jobs. */
  readonly max: number
  /** Seconds. */
  readonly connectTimeout: number
  /** Whether statements stay prepared on their connection; not possible behind a pooler in transaction mode. */
  readonly prepare: boolean
}

export interface Host {
  readonly host: string
  readonly port: number
}

const sslModes = ['disable', 'prefer', 'require', 'verify-full'] as const
export type SslMode = (typeof sslModes)[number]

/** What is specific to the URLs of a kind of server. */
export interface UrlFormat<More> {
  readonly schemes: readonly [string, ...string[]]
  readonly port: number
  /** The usual path of its socket. */
  readonly socket: string
  readonly mostHosts: number
  /** The names that only this kind of server allows in the query; `read` returns their values. */
  readonly words: readonly string[]
  readonly read: (query: Query, faults: string[]) => More
}

type Query = ReadonlyMap<string, string>

/** Splits a URL whose password may contain an @ or a ?; an @ may also be in a query of known names. */
function partsOf(text: string, words: readonly string[]): Parts | undefined {
  const pair = `(?:${[...ofAll, ...words].join('|')})=[^&#]*`
  const withQuery = new RegExp(
    String.raw`^(?<scheme>\w+):\/\/(?:(?<user>[^:@/]*)(?::(?<password>.*?))?@)?(?<hosts>[^@/?#]*)(?:\/(?<database>[^/?#]*))?\?(?<query>${pair}(?:&${pair})*)$`,
    's',
  )
  return (withQuery.exec(text) ?? form.exec(text))?.groups
}

type Parts = Readonly<Record<string, string | undefined>>

const form =
  /^(?<scheme>\w+):\/\/(?:(?<user>[^:@/]*)(?::(?<password>.*))?@)?(?<hosts>[^@/?#]*)(?:\/(?<database>[^/?#]*))?(?:\?(?<query>[^#]*))?$/s

/** Parses a DB_URL, or returns one sentence per fault, never with the password. */
export function readUrl<More>(
  text: string,
  format: UrlFormat<More>,
): { url: ServerUrl & More } | { faults: string[] } {
  const parts = partsOf(text, format.words)
  const [scheme] = format.schemes
  if (!parts || !format.schemes.includes(parts['scheme'] ?? ''))
    return {
      faults: [`Write ${scheme}://user:password@host:port/database, with what to add after a ?.`],
    }
  const faults: string[] = []
  const decode = (name: string, part = '') => {
    try {
      return decodeURIComponent(part)
    } catch {
      faults.push(`Write a % in the ${name} as %25.`)
      return ''
    }
  }
  const query = readQuery(parts['query'] ?? '', format.words, faults)
  const user = decode('user', parts['user'])
  const database = decode('name of the database', parts['database'])
  if (user === '')
    faults.push(`Name the user before an @: ${scheme}://user:password@host/database.`)
  if (database === '') faults.push(`Name the database after the host: ${scheme}://…@host/database.`)
  const url = {
    hosts: readHosts(parts['hosts'] || (query.get('host') ?? ''), format, faults),
    user,
    password: decode('password', parts['password']),
    database,
    ...readTls(query, faults),
    max: wholeNumber(query, 'max', 10, faults),
    connectTimeout: wholeNumber(query, 'connect_timeout', 5, faults),
    prepare: wordOf(query, 'prepare', ['true', 'false'], faults) !== 'false',
    ...format.read(query, faults),
  }
  return faults.length > 0 ? { faults } : { url }
}

const ofAll = ['host', 'sslmode', 'sslrootcert', 'max', 'connect_timeout', 'prepare']

function readQuery(text: string, words: readonly string[], faults: string[]): Query {
  const knownNames = [...ofAll, ...words]
  const pairs = [...new URLSearchParams(text)]
  const unknown = pairs.filter(([name]) => !knownNames.includes(name)).map(([name]) => name)
  // Unknown names are not shown: one may be part of a password that contains a ?.
  if (unknown.length > 0)
    faults.push(
      `After the ? there may be ${knownNames.slice(0, -1).join(', ')} and ${knownNames.at(-1)}, and nothing else.`,
    )
  const twice = knownNames.filter((name) => pairs.filter(([other]) => other === name).length > 1)
  for (const name of twice) faults.push(`Write ${name} once.`)
  return new Map(pairs)
}

function readHosts(text: string, format: UrlFormat<unknown>, faults: string[]): Host[] {
  if (text === '') faults.push(`Name the host, or a socket as ?host=${format.socket}.`)
  const hosts = text.split(',')
  if (hosts.length > format.mostHosts) faults.push('Name one host.')
  return hosts.map((hostText) => {
    const match = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<name>[^:[\]]*))(?::(?<port>\d{1,5}))?$/i.exec(
      hostText,
    )
    const port = Number(match?.groups?.['port'] ?? format.port)
    const host = match?.groups?.['six'] ?? hostName(match?.groups?.['name'] ?? '')
    if (!host || port < 1 || port > 65_535) {
      const form = 'host, host:port or [IPv6 address]:port'
      faults.push(
        format.mostHosts === 1
          ? `Write the host as ${form}.`
          : `Write each host as ${form}, with commas between them.`,
      )
      return { host: '', port: 0 }
    }
    return { host, port }
  })
}

/** Returns a host, or a socket's path, whose slashes may be written as %2F; empty if the text is neither. */
function hostName(text: string): string {
  const name = text.replace(/%2f/gi, '/')
  return name.startsWith('/') || /^[\w.-]+$/.test(name) ? name : ''
}

function readTls(query: Query, faults: string[]) {
  const path = query.get('sslrootcert')
  const sslmode = wordOf(query, 'sslmode', sslModes, faults) ?? (path ? 'verify-full' : 'prefer')
  if (path !== undefined && (sslmode === 'disable' || sslmode === 'prefer'))
    faults.push('sslrootcert goes with sslmode=require or verify-full.')
  return { sslmode, certificates: path === undefined ? undefined : readCertificates(path, faults) }
}

function readCertificates(path: string, faults: string[]): string | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    // Throws if the file contains no certificate.
    new X509Certificate(text).validTo.trim()
    return text
  } catch {
    faults.push('sslrootcert names no file with certificates (PEM) that this user can read.')
    return undefined
  }
}

function wholeNumber(query: Query, name: string, otherwise: number, faults: string[]): number {
  const text = query.get(name) ?? String(otherwise)
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0
  if (number === 0) faults.push(`Write ${name} as a whole number from 1 to 9999.`)
  return number
}

export function wordOf<Word extends string>(
  query: Query,
  name: string,
  words: readonly Word[],
  faults: string[],
): Word | undefined {
  const text = query.get(name)
  const match = words.find((word) => word === text)
  if (text !== undefined && match === undefined)
    faults.push(`Write ${name} as ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`)
  return match
}
