import { wholeSentence } from '../../base/whole-sentence.ts'
import { codeOf, type Connection } from './connection.ts'

/** Faults that are told; there may be as many as rows. */
const mostFaults = 5

/** As `faultsIn`; that a page cannot even be read is a fault like any other. */
export function damageIn(connection: Connection, quick: boolean): string[] {
  try {
    return faultsIn(connection, quick)
  } catch (error) {
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test(codeOf(error))) throw error
    return [wholeSentence((error as Error).message)]
  }
}

/** What is wrong with the pages and rows of a database, in sentences. `quick` leaves out the comparison with the indexes. */
export function faultsIn(connection: Connection, quick = false): string[] {
  const check = `${quick ? 'quick_check' : 'integrity_check'}(${mostFaults})`
  const found = connection.prepare(`PRAGMA ${check}`).pluck().all() as string[]
  // Several may come as one text, under a headline.
  const lines = found
    .flatMap((text) => text.split('\n'))
    .filter((line) => !/^(ok|\*\*\*.*)$/.test(line))
  const faults = lines.slice(0, mostFaults)
  if (faults.length > 0) return faults.map(wholeSentence)
  const orphans = connection.pragma('foreign_key_check') as { table: string; parent: string }[]
  return orphans
    .slice(0, mostFaults)
    .map(({ table, parent }) => `A row of ${table} belongs to a row of ${parent} that is gone.`)
}
