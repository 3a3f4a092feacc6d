import { statementLimit } from '../../server/statement-limit.ts'

/**
 * Returns the statements that begin a transaction which lasts as long as its process, or its work: no limit of the
 * role or the server ends it. The limits are set within the transaction, since behind a pooler a session may be
 * another client's. `mode`: by default one in which it keeps no deleted row from being vacuumed between its statements.
 * `silence`: how long the transaction may be silent before the server ends it; unlimited if absent.
 */
export function beginLong({ mode = readCommitted, silence = '0' } = {}): string {
  const limits = ['transaction_timeout', 'statement_timeout', 'lock_timeout']
  return [
    `BEGIN ${mode}`,
    ...limits.map((name) => `SET LOCAL ${name} = 0`),
    `SET LOCAL ${idle} = '${silence}'`,
  ].join('; ')
}

/** The mode of a transaction in which each statement sees what was committed before it. */
export const readCommitted = 'ISOLATION LEVEL READ COMMITTED'

/** The setting that ends a transaction which is silent for long. */
export const idle = 'idle_in_transaction_session_timeout'

/** Returns the milliseconds that a transaction may be silent before the server ends it; 0 for no limit. */
export function silenceOf(patience = 0): number {
  return 2 * patience
}

/**
 * Returns statements that set the session's limits, so that a process that hangs, or whose machine is gone, does not
 * keep its locks. Without `patience` they lift the role's and the server's limits on statements, locks and
 * transactions: a migrating process waits for another one.
 */
export function limits(patience = 0): string {
  const settings = {
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 3,
    statement_timeout: statementLimit(patience),
    lock_timeout: statementLimit(patience),
    // Statements outside of a transaction would otherwise fail whenever another changed their row before them.
    default_transaction_isolation: "'read committed'",
    // A listening connection is silent for long. If the server closed it, all open pages would reload.
    idle_session_timeout: 0,
    ...(patience > 0 ? { [idle]: silenceOf(patience) } : { transaction_timeout: 0 }),
  }
  return Object.entries(settings)
    .map(([name, value]) => `SET ${name} = ${value}`)
    .join('; ')
}
