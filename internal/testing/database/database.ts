import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Database, DatabaseOptions } from '../../db/db.ts'
import { readMigrations } from '../../db/migrate.ts'
import { addresses } from '#db/address'
import { addressIn } from '#testing/address'
import { migratedIn } from '#testing/migrated'
import { openDatabase } from '#db/driver'
import { migrationsFolder } from '#db/migrations'
import { memory } from '../processes/folders.ts'

/** The service's own migrations. */
export const migrations = readMigrations(
  fileURLToPath(new URL(`../../../${migrationsFolder}`, import.meta.url)),
)

export const noon = new Date('2026-11-21T12:00:00.123Z')

export function later(milliseconds: number): Date {
  return new Date(noon.getTime() + milliseconds)
}

/** Creates a folder, which is deleted at the end of the test. */
export function temporaryFolder(parent = memory): string {
  const folder = mkdtempSync(join(parent, 'app-db-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** Returns the setting that gives a service this database. */
export function settingOf(address: DatabaseAddress): Record<string, string> {
  return { [addresses.setting]: 'file' in address ? address.file : address.url }
}

/** Returns an address for a test's database, which does not exist yet. */
export function unusedAddress(parent = memory): Promise<DatabaseAddress> {
  return addressIn(temporaryFolder(parent))
}

/** Creates a migrated database for a test, and returns its address too. */
export async function temporaryDatabase(
  options?: DatabaseOptions,
  parent = memory,
): Promise<{ db: Database; address: DatabaseAddress }> {
  const address = await migratedIn(temporaryFolder(parent), noon)
  const db = await openDatabase(address, options)
  onTestFinished(() => db.close())
  return { db, address }
}
