import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { migrate, migrationsFolder } from '#db/migrations'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { readMigrations } from '../../db/migrate.ts'
import { fileOf } from '../../db/sqlite/address.ts'

const made = new Map<string, Buffer>()

/**
 * Runs all migrations on a database, as at that time. A new one is a copy of the one that they made first: they take
 * longer than most tests.
 */
export async function migrateAll(address: DatabaseAddress, now: Date): Promise<void> {
  const file = fileOf(address)
  const at = now.toISOString()
  const content = existsSync(file) ? undefined : made.get(at)
  if (content) {
    writeFileSync(file, content, { mode: 0o600 })
    return
  }
  const isNew = !existsSync(file)
  await migrate(address, readMigrations(migrationsFolder), now)
  // Closed, it is whole without its log.
  if (isNew) made.set(at, readFileSync(file))
}
