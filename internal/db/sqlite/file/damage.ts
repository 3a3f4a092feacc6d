import { errorCode } from '../../../base/error-code.ts'
import { wholeSentence } from '../../../base/text/whole-sentence.ts'
import { errorSentence } from '../../../base/error-message.ts'
import { DatabaseDamaged } from '../../snapshot.ts'
import type { Connection } from '../connection.ts'
import { tableNames } from '../schema/tables.ts'

/** The maximum number of faults returned: there may be as many as rows. */
const mostFaults = 5

/**
 * Returns what is wrong with a database's pages and rows, in sentences; an unreadable page is a fault like any other.
 * `quick` skips the comparison with the indexes.
 */
export function damageIn(connection: Connection, quick = false): string[] {
  try {
    return faultsIn(connection, quick)
  } catch (error) {
    if (!isDamage(error)) throw error
    return [errorSentence(error)]
  }
}

/** Throws `DatabaseDamaged` for a database that is damaged or not the app's. */
export function refuseUnsound(connection: Connection): void {
  const faults = damageIn(connection)
  if (faults.length === 0 && !tableNames(connection).includes('users'))
    faults.push('It has no table of accounts.')
  if (faults.length > 0) throw new DatabaseDamaged(faults)
}

/** Whether an error says that a page is corrupt or the file is not a database. */
export function isDamage(error: unknown): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(errorCode(error))
}

function faultsIn(connection: Connection, quick: boolean): string[] {
  const check = `${quick ? 'quick_check' : 'integrity_check'}(${mostFaults})`
  const messages = connection.prepare(`PRAGMA ${check}`).pluck().all() as string[]
  // 522 is SQLITE_IOERR_SHORT_READ. Only a truncated log causes it: reading past the end of the database itself gives
  // zeros.
  if (messages.some((text) => text.includes('error code=522')))
    throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_SHORT_READ' })
  // Several faults may come as one text under a headline.
  const lines = messages
    .flatMap((text) => text.split('\n'))
    .filter((line) => !/^(ok|\*\*\*.*)$/.test(line))
  const faults = lines.slice(0, mostFaults)
  if (faults.length > 0) return faults.map(wholeSentence)
  const orphans = connection.pragma('foreign_key_check') as { table: string; parent: string }[]
  return orphans
    .slice(0, mostFaults)
    .map(({ table, parent }) => `A row of ${table} belongs to a row of ${parent} that is gone.`)
}
