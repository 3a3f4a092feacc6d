import { existsSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { appName } from '../../../web/contract/name.ts'
import { fileOf } from '../../db/sqlite/address.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** Where a database of a test's own can be, which has this folder to itself. */
export async function addressIn(folder: string): Promise<DatabaseAddress> {
  return { file: join(folder, 'app.db') }
}

/** Where a database is that was kept under another name as one was put in its place. */
export function addressAside(_place: DatabaseAddress, name: string): DatabaseAddress {
  return { file: name }
}

/** Where the executable has its database when it is started in this folder, and nothing says where. */
export async function databaseOf(folder: string): Promise<DatabaseAddress> {
  return { file: join(folder, `${appName}.db`) }
}

/** Has it be this one, which nobody has open. */
export function giveDatabase(folder: string, address: DatabaseAddress): void {
  const file = fileOf(address)
  if (existsSync(file)) renameSync(file, join(folder, `${appName}.db`))
}

/** What has to be said for that: nothing. */
export async function settingsOfDatabase(_folder: string): Promise<Record<string, string>> {
  return {}
}

interface ServedDatabase {
  /** As the server calls it. */
  readonly name: string
  readonly settings: Readonly<Record<string, string | undefined>>
}

/** The database of a server that was started with these settings. */
export function addressServed({ name }: ServedDatabase): DatabaseAddress {
  return { file: name }
}
