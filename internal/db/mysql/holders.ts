import { escapeControls } from '../../base/escape.ts'
import type { HeldUp } from '../server/long-wait.ts'
import type { ServerUrl } from '../server/url.ts'
import { Connection } from './connection.ts'

export function heldUp(url: ServerUrl, advise: HeldUp['advise']): HeldUp {
  return { own: 'SELECT CONNECTION_ID()', adviceFor: (own) => adviceOnHolders(url, own), advise }
}

interface Holder {
  readonly id: number
  readonly account: string
  /** Seconds. */
  readonly age: number
}

// Milliseconds.
const patience = 5000

async function adviceOnHolders(url: ServerUrl, own: unknown): Promise<string | undefined> {
  const connection = await Connection.open(url, { patience })
  try {
    const [[state] = []] = await connection.rows(
      'SELECT state FROM information_schema.processlist WHERE id = ?',
      [own],
    )
    if (!/^Waiting for .* lock$/.test(String(state))) return undefined
    const open = (await transactionsBut(connection, own)).map(
      ({ id, account, age }) => `that of ${account}, for ${age} s (KILL ${id})`,
    )
    const which = open.length > 0 ? `These are open: ${open.join('; ')}. ` : ''
    return escapeControls(
      `A table is held by another transaction. ${which}Wait until it is over, or end its connection${which ? ' so' : `: as somebody with PROCESS, ask ${asked}`}.`,
    )
  } finally {
    await connection.end()
  }
}

const asked = 'SELECT trx_mysql_thread_id, trx_started FROM information_schema.innodb_trx'

/** Transactions in this database, or in none in particular, the oldest first; none where the user may not see them. */
async function transactionsBut(connection: Connection, own: unknown): Promise<Holder[]> {
  try {
    const found = await connection.script<Holder>(
      `SELECT
        p.id,
        CONCAT(p.user, '@', p.host) AS account,
        TIMESTAMPDIFF(SECOND, t.trx_started, NOW()) AS age
      FROM information_schema.innodb_trx t
      JOIN information_schema.processlist p ON p.id = t.trx_mysql_thread_id
      WHERE p.id NOT IN (?, CONNECTION_ID()) AND COALESCE(p.db, DATABASE()) = DATABASE()
      ORDER BY t.trx_started, p.id`,
      [own],
    )
    return Array.from(found)
  } catch (error) {
    if (connection.lost.aborted) throw error
    return []
  }
}
