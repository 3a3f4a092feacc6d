import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { addressServed, databasesOfFolders, urlOf } from '../database/on-server.ts'
import { withServer } from './server.ts'

export interface TestDatabase {
  readonly name: string
  readonly address: DatabaseAddress
}

/** Creates an empty database for a test, which is dropped at the end of the test. */
export async function addressIn(_folder?: string): Promise<DatabaseAddress> {
  const database = await makeDatabase('template0')
  onTestFinished(() => dropDatabase(database))
  return database.address
}

/** Creates a copy of another database, which nobody may have open. */
export async function makeDatabase(template: string): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const url = await withServer(async (ask, urlOf) => {
    // Copies files, which are in memory: that is faster than writing the copy to the log.
    await ask(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
    return urlOf(name)
  })
  return { name, address: { url } }
}

/** Drops a database, even if a process still has it open, such as one just killed. */
export function dropDatabase({ name }: TestDatabase): Promise<void> {
  return withServer((ask) => ask(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
}

/** Returns the address of the earlier tables that a restore kept under this name. */
export function keptDatabaseOf(place: DatabaseAddress, name: string): DatabaseAddress {
  return { url: `${urlOf(place)}?search_path=${name}` }
}

export const { databaseOf, giveDatabase, settingsOfDatabase } = databasesOfFolders(addressIn)
export { addressServed }
