import { escapeControls } from '../../../base/text/escape.ts'
import type { HolderReport } from '../../server/long-wait.ts'
import { Connection } from '../connection.ts'
import type { PostgresUrl } from '../connection/url.ts'

export function holderReport(url: PostgresUrl, advise: HolderReport['advise']): HolderReport {
  return { own: 'SELECT pg_backend_pid()', adviceFor: (own) => adviceOnHolders(url, own), advise }
}

interface Holder {
  readonly process: number
  readonly program: string | null
  readonly user: string | null
  readonly since: Date | null
}

// Milliseconds.
const patience = 5000

async function adviceOnHolders(url: PostgresUrl, process: unknown): Promise<string | undefined> {
  const connection = await Connection.open(url, { patience })
  try {
    const holders = await connection.ask<Holder>(
      `SELECT pid AS process, application_name AS program, usename AS user, xact_start AS since
      FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids($1)) ORDER BY xact_start, pid`,
      [process],
    )
    if (holders.length === 0) return undefined
    const ends = holders.map((holder) => `SELECT pg_terminate_backend(${holder.process})`)
    return `A table is locked by another transaction: ${holders.map(described).join('; ')}. Wait until it is over, or end it: ${ends.join('; ')}`
  } finally {
    await connection.end()
  }
}

/** Describes a transaction so that a person can find it, without what this user may not see. */
function described({ process, program, user, since }: Holder): string {
  const facts = [
    program !== null && program !== '' ? `of ${program}` : '',
    user === null ? '' : `by ${user}`,
    since === null ? '' : `since ${since.toISOString()}`,
  ].filter((fact) => fact !== '')
  return escapeControls([`process ${process}`, ...facts].join(' '))
}
