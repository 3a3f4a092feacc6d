import { readFileSync, writeFileSync } from 'node:fs'
import { migrate, migrationsFolder } from '#db/migrations'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { readMigrations } from '../../db/migrate.ts'
import { fileOf } from '../../db/sqlite/address.ts'
import { addressIn } from './address.ts'

const contentByTime = new Map<string, Buffer>()

/**
 * Returns a migrated database that has this folder to itself, as if migrated at that time. It is a copy of the first
 * one, since migrating takes longer than most tests.
 */
export async function migratedIn(folder: string, now: Date): Promise<DatabaseAddress> {
  const address = await addressIn(folder)
  const file = fileOf(address)
  const at = now.toISOString()
  const content = contentByTime.get(at)
  if (content) {
    writeFileSync(file, content, { mode: 0o600 })
    return address
  }
  await migrate(address, readMigrations(migrationsFolder), now)
  // The database is closed, so its file is complete without the log.
  contentByTime.set(at, readFileSync(file))
  return address
}
