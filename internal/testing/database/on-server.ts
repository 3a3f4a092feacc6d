import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** Shared by tests on all kinds of database servers. */

/** Returns the server for the tests. Throws, saying so, if there is none. */
export function testedServer(script: string): DatabaseAddress & { readonly url: string } {
  const url = process.env['DB_URL']
  if (url) return { url }
  throw new Error(
    `There is no server for the database of this test: set DB_URL to one, or run npm run ${script}, which starts its own.`,
  )
}

/** Returns the URL of another database on the same server. */
export function urlWith(address: DatabaseAddress, database: string): string {
  return urlOf(address).replace(/\/[^/?]*(?=\?|$)/, `/${database}`)
}

export function urlOf(address: DatabaseAddress): string {
  return 'url' in address ? address.url : ''
}

/** Returns the database of a server started with these settings. */
export function addressServed({
  settings,
}: {
  readonly name: string
  readonly settings: Readonly<Record<string, string | undefined>>
}): DatabaseAddress {
  return { url: settings['DB_URL'] ?? '' }
}

interface ReusableDatabases<Database> {
  readonly make: () => Promise<Database>
  /** Resets it to its initial state. False if that failed: no test may see what another has left. */
  readonly clean: (database: Database) => Promise<boolean>
  readonly drop: (database: Database) => Promise<void>
}

/**
 * Gives each test a database that an earlier test has finished with: creating and dropping one takes longer than most
 * tests. On a server that outlives the tests, each database is dropped, since nobody else would do so.
 */
export function reuseDatabases<Reused>({
  make,
  clean,
  drop,
}: ReusableDatabases<Reused>): () => Promise<Reused> {
  const idle: Reused[] = []
  return async () => {
    const database = idle.pop() ?? (await make())
    onTestFinished(async () => {
      // If cleaning fails, no other test gets it.
      const isClean =
        process.env['DB_GOES_WITH_TESTS'] === 'yes' && (await clean(database).catch(() => false))
      if (isClean) idle.push(database)
      else await drop(database)
    })
    return database
  }
}

/** Gives each folder a database of its own. */
export function databasesOfFolders(addressIn: () => Promise<DatabaseAddress>) {
  const databases = new Map<string, DatabaseAddress | Promise<DatabaseAddress>>()
  /** Makes this the folder's database until the end of the test. */
  const giveDatabase = (folder: string, address: DatabaseAddress | Promise<DatabaseAddress>) => {
    databases.set(folder, address)
    onTestFinished(() => void databases.delete(folder))
  }
  /** Returns the database for an executable started in this folder, unless the test gives it another. */
  const databaseOf = async (folder: string): Promise<DatabaseAddress> => {
    const existing = databases.get(folder)
    if (existing) return existing
    const created = addressIn()
    giveDatabase(folder, created)
    return created
  }
  /** Returns the settings that give the executable that database. */
  const settingsOfDatabase = async (folder: string): Promise<Record<string, string>> => ({
    DB_URL: urlOf(await databaseOf(folder)),
  })
  return { databaseOf, giveDatabase, settingsOfDatabase }
}
