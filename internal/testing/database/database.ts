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

/** A new folder, which is deleted when the test is over. */
export function temporaryFolder(parent = memory): string {
  const folder = mkdtempSync(join(parent, 'app-db-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

/** The setting that gives a service this database. */
export function settingOf(address: DatabaseAddress): Record<string, string> {
  return { [addresses.setting]: 'file' in address ? address.file : address.url }
}

/** An address for a database of the test's own, which does not exist yet. */
export function unusedAddress(parent = memory): Promise<DatabaseAddress> {
  return addressIn(temporaryFolder(parent))
}

/** A migrated database of the test's own, and where it is. */
export async function temporaryDatabase(
  options?: DatabaseOptions,
  parent = memory,
): Promise<{ db: Database; address: DatabaseAddress }> {
  const address = await migratedIn(temporaryFolder(parent), noon)
  const db = await openDatabase(address, options)
  onTestFinished(() => db.close())
  return { db, address }
}
