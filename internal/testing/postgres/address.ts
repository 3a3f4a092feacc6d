import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { addressServed, ofFolders, urlOf } from '../on-server.ts'
import { withServer } from './server.ts'

export interface Made {
  readonly name: string
  readonly address: DatabaseAddress
}

/** An empty database of a test's own, which is dropped when the test is over. */
export async function addressIn(_folder?: string): Promise<DatabaseAddress> {
  const made = await makeDatabase('template0')
  onTestFinished(() => dropDatabase(made))
  return made.address
}

/** A copy of another, which nobody has open. */
export async function makeDatabase(template: string): Promise<Made> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const url = await withServer(async (ask, urlOf) => {
    // Of files in memory a copy takes less than the log of one.
    await ask(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY file_copy`)
    return urlOf(name)
  })
  return { name, address: { url } }
}

/** Drops it, whatever has it open still, as a process that was killed just now. */
export function dropDatabase({ name }: Made): Promise<void> {
  return withServer((ask) => ask(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
}

/** Where the tables are that were kept as another database was put in the place of theirs. */
export function addressAside(place: DatabaseAddress, name: string): DatabaseAddress {
  return { url: `${urlOf(place)}?search_path=${name}` }
}

export const { databaseOf, giveDatabase, settingsOfDatabase } = ofFolders(addressIn)
export { addressServed }
