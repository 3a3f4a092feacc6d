import { errorCode } from '../../../base/error-code.ts'
import { errorSentence } from '../../../base/error-message.ts'
import type { StatementContext } from '../../advice.ts'
import { DatabaseBusy } from '../../db.ts'
import {
  busyRefusal,
  causeOf,
  outOfReach,
  untrusted,
  wrongServer,
  type Reason,
} from '../../server/unreachable.ts'

/** A unique value is taken by another row. The transaction goes on. */
export function isTaken(error: unknown): boolean {
  return errorCode(error) === 'ER_DUP_ENTRY'
}

// The user lacks a right to what a statement names.
const denied = /^ER_(TABLE|DB|COLUMN|SPECIFIC_)ACCESS_DENIED_ERROR$/

/** Adds the database that a right is missing on to the error, for its advice; other errors unchanged. */
export function withContext(error: unknown, database: string): unknown {
  if (!(error instanceof Error) || !denied.test(errorCode(error))) return error
  // In a GRANT `_` and `%` stand for other characters, too.
  const name = database.replaceAll('`', '``').replace(/[_%]/g, String.raw`\$&`)
  const context: StatementContext = { schema: `\`${name}\``, user: 'the user in DB_URL' }
  return Object.assign(error, { context })
}

/** A transaction was rolled back by a deadlock, or waited too long for a lock: it must not be committed. */
export function endsTransaction(error: unknown): boolean {
  return /^ER_LOCK_(DEADLOCK|WAIT_TIMEOUT)$/.test(errorCode(causeOf(error)))
}

/** The connection is gone, and the result of its last statement is unknown. */
export function isLoss(error: unknown): boolean {
  return /^(PROTOCOL_|HANDSHAKE_|E[A-Z]+$|ER_(SERVER_SHUTDOWN|CLIENT_INTERACTION_TIMEOUT|NET_))/.test(
    errorCode(error),
  )
}

/**
 * The server accepts no writes: it is a standby, set to read-only, or its binary log accepts none. On a new connection
 * that may have changed.
 */
export function takesNoWrite(error: unknown): boolean {
  return /^ER_(OPTION_PREVENTS_STATEMENT|CANT_EXECUTE_IN_READ_ONLY_TRANSACTION|READ_ONLY_MODE|BINLOG_STMT_MODE_AND_ROW_ENGINE)$/.test(
    errorCode(causeOf(error)),
  )
}

// Too many connections, a server set offline, a lock or statement timeout.
const passing =
  /^ER_(CON_COUNT_ERROR|SERVER_OFFLINE_MODE|TOO_MANY_USER_CONNECTIONS|USER_LIMIT_REACHED|LOCK_WAIT_TIMEOUT|QUERY_TIMEOUT|QUERY_INTERRUPTED)$/

/** Returns a `DatabaseBusy` for a temporary error; other errors unchanged. */
export function busyOf(error: unknown): unknown {
  const isOver = isLoss(error) || takesNoWrite(error) || passing.test(errorCode(error))
  if (error instanceof DatabaseBusy || !isOver) return error
  return new DatabaseBusy(`The database could not be asked: ${errorSentence(error)}`, {
    cause: error,
  })
}

/** Does the same for the reason why a connection was refused. */
export function busyOrRefused(refusal: unknown): unknown {
  return busyRefusal(refusal) ?? busyOf(refusal)
}

/** The reasons why there is no connection; the first match counts. */
export const reasons: readonly Reason[] = [
  wrongServer,
  {
    matches: (code) => code === 'ER_BAD_DB_ERROR',
    finding: ({ database }) => `has no database "${database}"`,
    advice: ({ user }) =>
      `make it with CREATE DATABASE and GRANT ALL ON it to "${user}", or set DB_URL to another`,
  },
  {
    matches: (code) => code === 'ER_DBACCESS_DENIED_ERROR',
    finding: ({ user, database }) =>
      `does not let "${user}" into the database "${database}", or has none`,
    advice: ({ user }) => `make it with CREATE DATABASE, and GRANT ALL ON it to "${user}"`,
  },
  {
    matches: (code) => code.startsWith('ER_MUST_CHANGE_PASSWORD'),
    finding: ({ user }) => `refuses the login of "${user}"`,
    advice: ({ message }) =>
      `give that user a new password there by ALTER USER, and set it in DB_URL (it says: ${message})`,
  },
  {
    matches: (code) =>
      /^ER_(ACCOUNT_HAS_BEEN_LOCKED|USER_ACCESS_DENIED_FOR_USER_ACCOUNT_BLOCKED_BY_PASSWORD_LOCK)$/.test(
        code,
      ),
    finding: ({ user }) => `refuses the login of "${user}"`,
    advice: ({ message }) =>
      `unlock that user there by ALTER USER … ACCOUNT UNLOCK, once it is known why it was locked (it says: ${message})`,
  },
  {
    matches: (code) =>
      /^ER_(ACCESS_DENIED|HOST_NOT_PRIVILEGED|NOT_SUPPORTED_AUTH|ACCOUNT_)/.test(code),
    finding: ({ user }) => `refuses the login of "${user}"`,
    // The server says no more if the account REQUIREs SSL.
    advice: ({ message, code, sslmode, host }) =>
      `set user and password in DB_URL to what it knows, or make that user there${code === 'ER_ACCESS_DENIED_ERROR' && sslmode === 'disable' && !host.startsWith('/') ? '; if it lets that user in over TLS alone, set sslmode=require' : ''} (it says: ${message})`,
  },
  {
    matches: (code) => /^ER_(TOO_MANY_USER_CONNECTIONS|USER_LIMIT_REACHED)$/.test(code),
    finding: ({ user }) => `takes no more connections of "${user}"`,
    advice: ({ message }) =>
      `raise what limits that user, or lower max in DB_URL (it says: ${message})`,
  },
  {
    matches: (code) => code === 'ER_SERVER_OFFLINE_MODE',
    finding: () => 'lets nobody in now',
    advice: ({ message }) =>
      `wait until its offline_mode is OFF again, or set it so there (it says: ${message})`,
  },
  {
    matches: (code) => code === 'ER_HOST_IS_BLOCKED',
    finding: () => 'lets nobody in from this machine now',
    advice: ({ message }) =>
      `unblock it there, and look for what breaks its connections off (it says: ${message})`,
  },
  {
    matches: (code) => code === 'ER_CON_COUNT_ERROR',
    finding: () => 'takes no more connections',
    advice: () => 'raise its max_connections, or lower max in DB_URL',
  },
  {
    matches: (code) => code === 'ER_SECURE_TRANSPORT_REQUIRED',
    finding: () => 'lets nobody in without TLS',
    advice: () =>
      'set sslmode=require in DB_URL, or verify-full, which also checks its certificate',
  },
  {
    matches: (code) => code === 'HANDSHAKE_NO_SSL_SUPPORT',
    finding: () => 'speaks no TLS',
    advice: () =>
      'turn TLS on there, or, where nobody can listen in, set sslmode=disable in DB_URL',
  },
  ...untrusted,
  outOfReach(isLoss),
]
