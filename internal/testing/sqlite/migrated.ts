import { readFileSync, writeFileSync } from 'node:fs'
import { migrate, migrationsFolder } from '#db/migrations'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { readMigrations } from '../../db/migrate.ts'
import { fileOf } from '../../db/sqlite/address.ts'
import { addressIn } from './address.ts'

const made = new Map<string, Buffer>()

/**
 * A database that has this folder to itself and that all migrations ran on, as at that time. It is a copy of the one that
 * they made first: they take longer than most tests.
 */
export async function migratedIn(folder: string, now: Date): Promise<DatabaseAddress> {
  const address = await addressIn(folder)
  const file = fileOf(address)
  const at = now.toISOString()
  const content = made.get(at)
  if (content) {
    writeFileSync(file, content, { mode: 0o600 })
    return address
  }
  await migrate(address, readMigrations(migrationsFolder), now)
  // Closed, it is whole without its log.
  made.set(at, readFileSync(file))
  return address
}
