import { errorCode } from '../../base/error-code.ts'
import { wholeSentence } from '../../base/text/whole-sentence.ts'
import { DatabaseBusy } from '../db.ts'
import { failedIn } from './client.ts'
import {
  busyRefusal,
  causeOf,
  messageOf,
  outOfReach,
  untrusted,
  wrongServer,
  type Reason,
} from '../server/unreachable.ts'

/** A unique value is taken: another row has it. */
export function isTaken(error: unknown): boolean {
  return errorCode(error) === '23505'
}

/** A transaction was stopped, by a deadlock or since what it had read has changed: nothing of it holds. */
export function runsAgain(error: unknown): boolean {
  return /^40(P01|001)$/.test(errorCode(error))
}

/** A prepared statement is out of date, since its table got a column; or a pooler's session does not have it. */
export function isOutdated(error: unknown): boolean {
  return failedIn(error) === 'RevalidateCachedQuery' || errorCode(error) === '26000'
}

/** The user lacks a right on something in the database. */
export function lacksRight(error: unknown): error is Error {
  return errorCode(error) === '42501'
}

/** The connection is gone, and what became of its last statement is not known. */
export function isLoss(error: unknown): boolean {
  return /^(CONNECTION_|CONNECT_|E[A-Z_]+$|57P0[123]$|08)/.test(errorCode(error))
}

/** The server takes no write: it stands by for another one, or is set so. A new connection may find that changed. */
export function takesNoWrite(error: unknown): boolean {
  return errorCode(causeOf(error)) === '25006'
}

// Too many connections, a server that takes no write, a lock or a statement that took too long, a server that starts or stops.
const passing = /^(53300|25006|55P03|57014)$/

/** A `DatabaseBusy` in the place of what is over after a while; other errors as they are. */
export function busyOf(error: unknown): unknown {
  if (error instanceof DatabaseBusy || !(isLoss(error) || passing.test(errorCode(error))))
    return error
  return new DatabaseBusy(`The database could not be asked: ${wholeSentence(messageOf(error))}`, {
    cause: error,
  })
}

/** The same for why a connection was refused. */
export function busyOrRefused(refusal: unknown): unknown {
  return busyRefusal(refusal) ?? busyOf(refusal)
}

/** DB_URL asks for a server that takes writes, and this one takes none. It may be promoted at any moment. */
export class StandsBy extends Error {
  override readonly name = 'StandsBy'
  /** The code that a write there would fail with. */
  readonly code = '25006'
}

/** Whether there is no connection because the server stands by. */
export function standsBy(refusal: unknown): boolean {
  return refusal instanceof Error && refusal.cause instanceof StandsBy
}

/** A server hung up when it was asked for TLS: it speaks none, or it ends. */
export class HungUp extends Error {
  override readonly name = 'HungUp'
  readonly code = 'ECONNRESET'
}

/** Why there is no connection; the first reason that fits counts. */
export const reasons: readonly Reason[] = [
  wrongServer,
  {
    matches: (_, error) => error instanceof StandsBy,
    finding: () => 'stands by for another one, and takes no write',
    advice: () => 'name the one that does in DB_URL too, with a comma between the hosts',
  },
  // A pooler has one code for all that it refuses: only its message tells what it is.
  {
    matches: (code, error) =>
      code === '08P01' && /^no such database|" does not exist/.test(messageOf(error)),
    finding: ({ database }) => `has no database "${database}"`,
    advice: ({ message }) =>
      `have the pooler know it, or set DB_URL to another (it says: ${message})`,
  },
  {
    matches: (code, error) =>
      code === '08P01' && /authentication failed|^no such user/.test(messageOf(error)),
    finding: ({ user }) => `refuses the login of "${user}"`,
    advice: ({ message }) =>
      `set user and password in DB_URL to what it knows (it says: ${message})`,
  },
  {
    matches: (code) => code === '3D000',
    finding: ({ database }) => `has no database "${database}"`,
    advice: ({ user }) =>
      `make it with CREATE DATABASE, owned by "${user}", or set DB_URL to another`,
  },
  {
    matches: (code) => code.startsWith('28'),
    finding: ({ user }) => `refuses the login of "${user}"`,
    advice: ({ message }) =>
      `set user and password in DB_URL to what it knows, or let them in by its pg_hba.conf (it says: ${message})`,
  },
  {
    matches: (code) => code === '42501',
    finding: ({ user, database }) => `does not let "${user}" into the database "${database}"`,
    advice: () => 'have its owner GRANT CONNECT',
  },
  {
    matches: (code) => code === '55000',
    finding: ({ database }) => `lets nobody into the database "${database}"`,
    advice: ({ message }) =>
      `say ALTER DATABASE … ALLOW_CONNECTIONS true, or set DB_URL to another (it says: ${message})`,
  },
  {
    matches: (code) => code === '22023',
    finding: () => 'refuses how the connection is set',
    advice: ({ message }) =>
      `mend search_path in DB_URL, or what ALTER ROLE and ALTER DATABASE set (it says: ${message})`,
  },
  // The server's routine tells whose limit it is, whatever language the message is in.
  {
    matches: (code, error) => code === '53300' && failedIn(error) === 'InitializeSessionUserId',
    finding: ({ user }) => `takes no more connections of the role "${user}"`,
    advice: () => 'raise its CONNECTION LIMIT by ALTER ROLE, or lower max in DB_URL',
  },
  {
    matches: (code, error) => code === '53300' && failedIn(error) === 'CheckMyDatabase',
    finding: ({ database }) => `takes no more connections to the database "${database}"`,
    advice: () => 'raise its CONNECTION LIMIT by ALTER DATABASE, or lower max in DB_URL',
  },
  {
    matches: (code) => code === '53300',
    finding: () => 'takes no more connections',
    advice: () => 'raise its max_connections, or lower max in DB_URL',
  },
  {
    matches: (_, error) => /wrong version number/.test(messageOf(error)),
    finding: () => 'does not speak TLS',
    advice: () =>
      'turn TLS on there, or where nobody can listen in between set sslmode=disable in DB_URL',
  },
  ...untrusted,
  {
    matches: (_, error) => error instanceof HungUp,
    finding: () => 'hung up when it was asked for TLS',
    advice: () =>
      'turn TLS on there, or where nobody can listen in between set sslmode=disable in DB_URL',
  },
  {
    matches: (code) => code === '08P01',
    finding: () => 'refuses how it is spoken to',
    advice: ({ message }) =>
      `leave out of DB_URL what it takes none of; before a pooler that is search_path, which ALTER ROLE … SET search_path sets as well (it says: ${message})`,
  },
  outOfReach(isLoss),
]
