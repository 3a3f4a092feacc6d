import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { addressServed, ofFolders, urlOf } from '../on-server.ts'
import { withServer } from './server.ts'

/** An empty database of a test's own, which is dropped when the test is over. */
export function addressIn(_folder?: string): Promise<DatabaseAddress> {
  return databaseLike('template0')
}

/** A database of a test's own that is a copy of another, which nobody has open. */
export async function databaseLike(template: string): Promise<DatabaseAddress> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const url = await withServer(async (ask, urlOf) => {
    // Of files in memory a copy takes less than the log of one.
    await ask(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
    return urlOf(name)
  })
  // Whatever has it open still, as a process that was killed just now.
  onTestFinished(() => withServer((ask) => ask(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)))
  return { url }
}

/** Where the tables are that were kept as another database was put in the place of theirs. */
export function addressAside(place: DatabaseAddress, name: string): DatabaseAddress {
  return { url: `${urlOf(place)}?search_path=${name}` }
}

export const { databaseOf, giveDatabase, settingsOfDatabase } = ofFolders(addressIn)
export { addressServed }
