import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { appName } from '../../../web/contract/name.ts'
import { fileOf } from '../../db/sqlite/address.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** Returns an address for a test's database, which has this folder to itself. */
export async function addressIn(folder: string): Promise<DatabaseAddress> {
  return { file: join(folder, 'app.db') }
}

/** Returns the address of the earlier database that a restore kept under this name. */
export function keptDatabaseOf(_place: DatabaseAddress, name: string): DatabaseAddress {
  return { file: name }
}

/** Returns the database of an executable started in this folder without DB_PATH. */
export async function databaseOf(folder: string): Promise<DatabaseAddress> {
  return { file: join(folder, `${appName}.db`) }
}

/** Makes this database, which nobody may have open, the folder's. */
export function giveDatabase(folder: string, address: DatabaseAddress): void {
  const file = fileOf(address)
  if (existsSync(file)) renameSync(file, join(folder, `${appName}.db`))
}

/** Returns the settings that give the executable that database: none. */
export async function settingsOfDatabase(_folder: string): Promise<Record<string, string>> {
  return {}
}

interface ServedDatabase {
  /** The server's name for its database. */
  readonly name: string
  readonly settings: Readonly<Record<string, string | undefined>>
}

/** Returns the database of a server started with these settings. */
export function addressServed({ name }: ServedDatabase): DatabaseAddress {
  return { file: name }
}
