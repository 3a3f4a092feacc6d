import type { DatabaseAddress } from '../../base/settings/config.ts'
import { readMigrations } from '../../db/migrate.ts'
import type { Connection } from '../../db/mysql/connection.ts'
import { migrate, migrationsFolder } from '../../db/mysql/migrations.ts'
import { quoted } from '../../db/server/asking.ts'
import { emptyDatabase } from './address.ts'

/** What makes a database as all migrations left it, statement by statement. */
type Copy = readonly string[]

let made: Promise<Copy> | undefined

/**
 * A database of a test's own that all migrations ran on, as at that time. Its tables are made as they were left by those
 * that ran first, in a third of the time.
 */
export async function migratedIn(_folder: string, now: Date): Promise<DatabaseAddress> {
  const { address, connection } = await emptyDatabase()
  if (!made) {
    await migrate(address, readMigrations(migrationsFolder), now)
    made = copyOf(connection)
    await made
    return address
  }
  const copy = await made
  await connection.script('SET SESSION foreign_key_checks = 0')
  for (const statement of copy) await connection.script(statement)
  await connection.script('UPDATE migrations SET ran_at = ?', [now])
  return address
}

async function copyOf(connection: Connection): Promise<Copy> {
  const statements: string[] = []
  for (const [name] of await connection.rows('SHOW TABLES')) {
    const shown = await connection.rows(`SHOW CREATE TABLE ${quoted(String(name))}`)
    statements.push(String(shown[0]?.[1]))
  }
  const ran = await connection.rows("SELECT concat(quote(name), ', ', quote(hash)) FROM migrations")
  const rows = ran.map(([both]) => `(${String(both)}, UTC_TIMESTAMP(6))`)
  return [...statements, `INSERT INTO migrations VALUES ${rows.join(', ')}`]
}
