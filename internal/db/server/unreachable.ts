import { hostPort } from '../../base/network/host-port.ts'
import { errorCode } from '../../base/error-code.ts'
import { DatabaseBusy } from '../db.ts'
import type { Host, ServerUrl } from './url.ts'

/** A server of an older version than the app runs on, or of another kind. */
export class WrongServer extends Error {
  override readonly name = 'WrongServer'
}

/** That there is no connection to a host, and what to do, in one sentence. */
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

type FaultDetails = Readonly<Record<'message' | 'code' | 'user' | 'database' | 'sslmode', string>>

/** A reason why there is no connection, as a person reads it, and what to do. */
export interface Reason {
  readonly matches: (code: string, error: unknown) => boolean
  readonly finding: (details: FaultDetails) => string
  readonly advice: (details: FaultDetails) => string
}

/** The reason that goes with `WrongServer`, the same for every kind of server. */
export const wrongServer: Reason = {
  matches: (_, error) => error instanceof WrongServer,
  finding: ({ message }) => message,
  advice: () => 'set DB_URL to another server',
}

/**
 * Why the certificate of the server is not trusted; the first that fits counts. The first two go by Node's message,
 * since a client may replace Node's code by its own.
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
    // What Node advises is of no use to who runs the executable.
    finding: ({ message }) => `is not trusted (${withoutStop(message.replace(/; if .*$/s, ''))})`,
    advice: () =>
      'give the certificate of who signed its own as sslrootcert in DB_URL, or have it speak TLS',
  },
]

/** The reason for any other loss. `isLoss`: whether the network or the server itself is at fault. */
export function outOfReach(isLoss: (error: unknown) => boolean): Reason {
  return {
    matches: (code, error) => isLoss(error) && code !== '',
    finding: ({ code, message }) => `cannot be reached (${serverMessage(code, message)})`,
    advice: () => 'start it, or set DB_URL to where it is and how it wants to be spoken to',
  }
}

/** The code of an error, with its message where a server or a proxy said it: the messages of others add nothing. */
function serverMessage(code: string, message: string): string {
  return /^(\d|ER_)/.test(code) ? `${code}: ${message}` : code
}

/** Tells a person why there is no connection to this host, never with the password; an unknown error as it is. */
export function unreachable(
  error: unknown,
  { user, database, sslmode }: ServerUrl,
  { at, reasons }: { at: Host; reasons: readonly Reason[] },
): unknown {
  const cause = causeOf(error)
  const code = errorCode(cause)
  const found = reasons.find(({ matches }) => matches(code, cause))
  if (!found) return error
  const details = { message: withoutStop(messageOf(cause)), code, user, database, sslmode }
  return new Unreachable(
    `The database server ${nameOfHost(at)} ${found.finding(details)}`,
    found.advice(details),
    cause,
  )
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '')
}

/** The error that a `DatabaseBusy` was thrown for; any other error as it is. */
export function causeOf(error: unknown): unknown {
  return error instanceof DatabaseBusy && error.cause ? error.cause : error
}

/** A `DatabaseBusy` for a refused connection whose cause has an error code; undefined for any other refusal. */
export function busyRefusal(refusal: unknown): DatabaseBusy | undefined {
  const cause = refusal instanceof Error ? refusal.cause : undefined
  return errorCode(cause) === '' ? undefined : new DatabaseBusy(String(refusal), { cause: refusal })
}

export function nameOfHost({ host, port }: Host): string {
  if (host.startsWith('/')) return host
  return hostPort(host, port)
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
