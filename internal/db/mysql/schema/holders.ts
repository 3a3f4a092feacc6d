import { errorCode } from '../../../base/error-code.ts'
import { escapeControls } from '../../../base/text/escape.ts'
import type { HolderReport } from '../../server/long-wait.ts'
import type { ServerUrl } from '../../server/url.ts'
import { Connection } from '../connection.ts'

export function holderReport(url: ServerUrl, advise: HolderReport['advise']): HolderReport {
  return { own: 'SELECT CONNECTION_ID()', adviceFor: (own) => adviceOnHolders(url, own), advise }
}

interface Holder {
  readonly id: number
  /** Seconds. */
  readonly age: number
}

// Milliseconds.
const patience = 5000

// The name of connections that are still logging in: the server reads its own tables for them in a transaction.
const loggingIn = 'unauthenticated user'

async function adviceOnHolders(url: ServerUrl, own: unknown): Promise<string | undefined> {
  const connection = await Connection.open(url, { patience })
  try {
    // Not by SELECT, which fails while any connection runs a prepared statement with bytes that are not text.
    const processes = await connection.rows('SHOW PROCESSLIST')
    const [, , , , , , state] = processes.find(([id]) => id === own) ?? []
    if (!/^Waiting for .* lock$/.test(String(state))) return undefined
    const open = (await transactionsBut(connection, own)).flatMap(({ id, age }) => {
      const [, user, host, database] = processes.find((process) => process[0] === id) ?? []
      // Of this database, or of none in particular.
      const isNear = [null, url.database].includes(database as string | null)
      return user !== undefined && user !== loggingIn && isNear
        ? [`that of ${user as string}@${host as string}, for ${age} s (KILL ${id})`]
        : []
    })
    const list = open.length > 0 ? `These are open: ${open.join('; ')}. ` : ''
    return escapeControls(
      `A table is held by another transaction. ${list}Wait until it is over, or end its connection${list ? ' so' : `: as somebody with PROCESS, ask ${transactionsQuery}`}.`,
    )
  } finally {
    await connection.end()
  }
}

const transactionsQuery =
  'SELECT trx_mysql_thread_id, trx_started FROM information_schema.innodb_trx'

/** How often transactions are queried at most. */
const most = 10

/** Returns the server's transactions, oldest first; none if the user may not see them. */
async function transactionsBut(connection: Connection, own: unknown): Promise<Holder[]> {
  for (let tries = 1; ; tries++) {
    try {
      const holders = await connection.script<Holder>(
        `SELECT trx_mysql_thread_id AS id, TIMESTAMPDIFF(SECOND, trx_started, NOW()) AS age
        FROM information_schema.innodb_trx
        WHERE trx_mysql_thread_id NOT IN (?, CONNECTION_ID())
        ORDER BY trx_started, trx_mysql_thread_id`,
        [own],
      )
      return Array.from(holders)
    } catch (error) {
      if (connection.lost.aborted) throw error
      if (tries === most || /ACCESS_DENIED/.test(errorCode(error))) return []
    }
    // It fails too while a transaction's statement has such bytes, usually just for a moment.
    await connection.script('DO SLEEP(0.2)')
  }
}
