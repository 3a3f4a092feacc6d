import { messageOf } from '../../base/error-message.ts'
import { hostPort } from '../../base/network/host-port.ts'
import { errorCode } from '../../base/error-code.ts'
import { DatabaseBusy } from '../db.ts'
import type { Host, ServerUrl } from './url.ts'

/** The server is older than the app supports, or of another kind. */
export class WrongServer extends Error {
  override readonly name = 'WrongServer'
}

/** A host cannot be reached, and what to do, in one sentence. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  readonly finding: string
  readonly advice: string

  constructor(finding: string, advice: string, cause: unknown) {
    super(`${finding}: ${advice}.`, { cause })
    this.finding = finding
    this.advice = advice
  }
}

type FaultDetails = Readonly<
  Record<'message' | 'code' | 'user' | 'database' | 'sslmode' | 'host', string>
>

/** Why there is no connection, in words for people, and what to do. */
export interface Reason {
  readonly matches: (code: string, error: unknown) => boolean
  readonly finding: (details: FaultDetails) => string
  readonly advice: (details: FaultDetails) => string
}

/** The reason for a `WrongServer`, the same for every kind of server. */
export const wrongServer: Reason = {
  matches: (_, error) => error instanceof WrongServer,
  finding: ({ message }) => message,
  advice: () => 'set DB_URL to another server',
}

/**
 * Why the server's certificate is not trusted; the first match counts. The first two match Node's message, since a
 * client may replace Node's error code.
 */
export const untrusted: readonly Reason[] = [
  {
    matches: (_, error) => /^certificate (has expired|is not yet valid)/.test(messageOf(error)),
    finding: ({ message }) => `has a certificate that does not hold now (${message})`,
    advice: () => 'have it made anew there, and look at the clock of this machine',
  },
  {
    matches: (_, error) => /does not match certificate's altnames/.test(messageOf(error)),
    finding: ({ message }) => `has a certificate of another name (${message})`,
    advice: () =>
      'set the host in DB_URL to a name that stands in it, or have one made there that names this host',
  },
  {
    matches: (code) => /CERT|SIGNATURE|^ERR_(SSL|TLS)|ISSUER|EPROTO|HANDSHAKE_SSL/.test(code),
    // Node's own advice is of no use to those who run the executable.
    finding: ({ message }) => `is not trusted (${withoutStop(message.replace(/; if .*$/s, ''))})`,
    advice: () =>
      'give the certificate of who signed its own as sslrootcert in DB_URL, or have it speak TLS',
  },
]

/** The reason for any other loss. `isLoss`: whether the network or the server itself failed. */
export function outOfReach(isLoss: (error: unknown) => boolean): Reason {
  return {
    matches: (code, error) => isLoss(error) && code !== '',
    finding: ({ code, message }) => `cannot be reached (${serverMessage(code, message)})`,
    advice: () => 'start it, or set DB_URL to its address, with the right sslmode',
  }
}

/** Returns an error's code, with its message if a server or a proxy sent it: other messages add nothing. */
function serverMessage(code: string, message: string): string {
  return /^(\d|ER_)/.test(code) ? `${code}: ${message}` : code
}

/** Explains why this host cannot be reached, never with the password; returns an unknown error unchanged. */
export function unreachable(
  error: unknown,
  { user, database, sslmode }: ServerUrl,
  { at, reasons }: { at: Host; reasons: readonly Reason[] },
): unknown {
  const cause = causeOf(error)
  const code = errorCode(cause)
  const match = reasons.find(({ matches }) => matches(code, cause))
  if (!match) return error
  const details = {
    message: withoutStop(messageOf(cause)),
    code,
    user,
    database,
    sslmode,
    host: at.host,
  }
  return new Unreachable(
    `The database server ${nameOfHost(at)} ${match.finding(details)}`,
    match.advice(details),
    cause,
  )
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '')
}

/** Returns the error behind a `DatabaseBusy`; any other error unchanged. */
export function causeOf(error: unknown): unknown {
  return error instanceof DatabaseBusy && error.cause ? error.cause : error
}

/** Returns a `DatabaseBusy` for a refusal whose cause has an error code; undefined for any other refusal. */
export function busyRefusal(refusal: unknown): DatabaseBusy | undefined {
  const cause = refusal instanceof Error ? refusal.cause : undefined
  return errorCode(cause) === '' ? undefined : new DatabaseBusy(String(refusal), { cause: refusal })
}

export function nameOfHost({ host, port }: Host): string {
  if (host.startsWith('/')) return host
  return hostPort(host, port)
}
