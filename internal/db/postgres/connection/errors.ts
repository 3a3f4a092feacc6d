import { errorCode } from '../../../base/error-code.ts'
import { errorSentence, messageOf } from '../../../base/error-message.ts'
import { DatabaseBusy } from '../../db.ts'
import { failedIn } from './client.ts'
import { LendsSessions } from './lent-session.ts'
import {
  busyRefusal,
  causeOf,
  outOfReach,
  untrusted,
  wrongServer,
  type Reason,
} from '../../server/unreachable.ts'

/** A unique value is taken by another row. */
export function isTaken(error: unknown): boolean {
  return errorCode(error) === '23505'
}

/** A transaction was stopped by a deadlock or because what it read has changed: it was rolled back. */
export function runsAgain(error: unknown): boolean {
  return /^40(P01|001)$/.test(errorCode(error))
}

/** A prepared statement is outdated, since its table gained a column, or is unknown in a pooler's session. */
export function isOutdated(error: unknown): boolean {
  return failedIn(error) === 'RevalidateCachedQuery' || errorCode(error) === '26000'
}

/** The user lacks a right on something in the database. */
export function lacksRight(error: unknown): error is Error {
  return errorCode(error) === '42501'
}

/** The connection is gone, and the result of its last statement is unknown. */
export function isLoss(error: unknown): boolean {
  return /^(CONNECTION_|CONNECT_|E[A-Z_]+$|57P0[123]$|08)/.test(errorCode(error))
}

/** The server accepts no writes: it is a standby, or set to read-only. On a new connection that may have changed. */
export function takesNoWrite(error: unknown): boolean {
  return errorCode(causeOf(error)) === '25006'
}

// Too many connections, a read-only server, a lock or statement timeout, a server that is starting or stopping.
const passing = /^(53300|25006|55P03|57014)$/

/** Returns a `DatabaseBusy` for a temporary error; other errors unchanged. */
export function busyOf(error: unknown): unknown {
  if (error instanceof DatabaseBusy || !(isLoss(error) || passing.test(errorCode(error))))
    return error
  return new DatabaseBusy(`The database could not be asked: ${errorSentence(error)}`, {
    cause: error,
  })
}

/** Does the same for the reason why a connection was refused. */
export function busyOrRefused(refusal: unknown): unknown {
  return busyRefusal(refusal) ?? busyOf(refusal)
}

/** DB_URL asks for a server that accepts writes, and this one does not. It may be promoted at any moment. */
export class StandsBy extends Error {
  override readonly name = 'StandsBy'
  /** The code that a write there would fail with. */
  readonly code = '25006'
}

/** Whether the connection failed because the server is a standby. */
export function standsBy(refusal: unknown): boolean {
  return refusal instanceof Error && refusal.cause instanceof StandsBy
}

/** The server hung up when asked for TLS: it does not support it, or is shutting down. */
export class HungUp extends Error {
  override readonly name = 'HungUp'
  readonly code = 'ECONNRESET'
}

/** The reasons why there is no connection; the first match counts. */
export const reasons: readonly Reason[] = [
  wrongServer,
  {
    matches: (_, error) => error instanceof StandsBy,
    finding: () => 'is a standby of another one, and accepts no writes',
    advice: () => 'name the one that does in DB_URL too, with a comma between the hosts',
  },
  {
    matches: (_, error) => error instanceof LendsSessions,
    finding: () => 'is a pooler that lends a session for each transaction',
    advice: () => 'add prepare=false to DB_URL, or have the pooler lend it for the whole session',
  },
  // A pooler uses one code for everything it refuses: only its message tells the reason.
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
  // The server's routine tells whose limit it is, in whatever language the message is.
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
    finding: () => 'refuses a part of DB_URL',
    advice: ({ message }) =>
      `leave out of DB_URL what it takes none of; before a pooler that is search_path, which ALTER ROLE … SET search_path sets as well (it says: ${message})`,
  },
  outOfReach(isLoss),
]
