import { readFileSync } from 'node:fs'
import { X509Certificate } from 'node:crypto'

/** What a DB_URL says (contract: Configuration), of whatever kind of server. */
export interface ServerUrl {
  /** The one to be preferred first. An absolute path is a Unix socket, or the folder of one. */
  readonly hosts: readonly Host[]
  readonly user: string
  readonly password: string
  readonly database: string
  readonly sslmode: SslMode
  /** The certificates (PEM) that may have signed the server's; those that Node knows when undefined. */
  readonly certificates: string | undefined
  /** Connections that serve requests and jobs, at most. */
  readonly max: number
  /** Seconds. */
  readonly connectTimeout: number
  /** Whether statements are prepared and stay so on their connection; not behind a pooler in transaction mode. */
  readonly prepare: boolean
}

export interface Host {
  readonly host: string
  readonly port: number
}

const sslModes = ['disable', 'prefer', 'require', 'verify-full'] as const
export type SslMode = (typeof sslModes)[number]

/** What the URLs of a kind of server have of their own. */
export interface UrlFormat<More> {
  readonly schemes: readonly [string, ...string[]]
  readonly port: number
  /** Where its socket is on most machines. */
  readonly socket: string
  readonly mostHosts: number
  /** The names in the query that only this kind of server has; `read` returns what they say. */
  readonly words: readonly string[]
  readonly read: (query: Query, faults: string[]) => More
}

type Query = ReadonlyMap<string, string>

/** Splits a URL whose password may have an @ or a ? in it; a query of known names alone may have an @ too. */
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

/** Reads a DB_URL, or says what is wrong with it: a sentence for each fault, never with the password. */
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
  const known = [...ofAll, ...words]
  const pairs = [...new URLSearchParams(text)]
  const unknown = pairs.filter(([name]) => !known.includes(name)).map(([name]) => name)
  // Names that are not known are not shown: one may be a piece of a password with a ? in it.
  if (unknown.length > 0)
    faults.push(
      `After the ? there may be ${known.slice(0, -1).join(', ')} and ${known.at(-1)}, and nothing else.`,
    )
  const twice = known.filter((name) => pairs.filter(([other]) => other === name).length > 1)
  for (const name of twice) faults.push(`Write ${name} once.`)
  return new Map(pairs)
}

function readHosts(text: string, format: UrlFormat<unknown>, faults: string[]): Host[] {
  if (text === '') faults.push(`Name the host, or a socket as ?host=${format.socket}.`)
  const hosts = text.split(',')
  if (hosts.length > format.mostHosts) faults.push('Name one host.')
  return hosts.map((one) => {
    const found = /^(?:\[(?<six>[0-9a-f:.]+)\]|(?<name>[^:[\]]*))(?::(?<port>\d{1,5}))?$/i.exec(one)
    const port = Number(found?.groups?.['port'] ?? format.port)
    const host = found?.groups?.['six'] ?? hostName(found?.groups?.['name'] ?? '')
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

/** A host, or the path of a socket, whose slashes may be written as %2F; empty where the text is neither. */
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
    // Throws where the file has no certificate.
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
  const found = words.find((word) => word === text)
  if (text !== undefined && found === undefined)
    faults.push(`Write ${name} as ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`)
  return found
}
