import { messageOf } from '../../base/error-message.ts'
import {
  hashOf,
  MigrationChanged,
  MigrationFailed,
  openMigrations,
  usualWait,
  type Migrate,
  type Migration,
  type RanMigration,
} from '../migrate.ts'
import { fileOf } from './address.ts'
import { openWriter, whileBusy, type Connection } from './connection.ts'
import { foreignTable, tableNames } from './schema/tables.ts'
import { textOf } from './connection/times.ts'

/** The folder of the migrations in a checkout of the project. */
export const migrationsFolder = 'migrations/sqlite'

/**
 * Runs each migration atomically. Another process may be migrating: each of its migrations holds the lock while it
 * runs, and is waited for, up to `wait` milliseconds.
 */
export const migrate: Migrate = async (database, migrations, now, { wait = usualWait } = {}) => {
  const connection = await openWriter(fileOf(database), wait)
  try {
    refuseForeign(connection, fileOf(database))
    const ran: string[] = []
    for (const migration of openMigrations(migrations, ranMigrations(connection))) {
      await whileBusy(wait, () => connection.exec('BEGIN IMMEDIATE'))
      if (run(connection, migration, now)) ran.push(migration.name)
    }
    return ran
  } finally {
    connection.close()
  }
}

/** Throws for a file with another program's tables: nothing is created beside them. */
function refuseForeign(connection: Connection, file: string): void {
  const foreign = foreignTable(connection)
  if (foreign !== undefined)
    throw new Error(
      `The database ${file} has tables of another program, such as ${foreign}: set DB_PATH to another file.`,
    )
}

/** Ends the transaction it is called in. Returns false when another process was first. */
function run(connection: Connection, migration: Migration, now: Date): boolean {
  const { name, sql } = migration
  try {
    const isNew = openMigrations([migration], ranMigrations(connection)).length > 0
    if (isNew) {
      connection.exec(sql)
      if (!connection.inTransaction) throw new Error('it ends the transaction it runs in')
      connection.exec(`CREATE TABLE IF NOT EXISTS migrations (
        name TEXT NOT NULL PRIMARY KEY,
        hash TEXT NOT NULL,
        ran_at datetime NOT NULL
      )`)
      const record = 'INSERT INTO migrations (name, hash, ran_at) VALUES (?, ?, ?)'
      connection.prepare(record).run(name, hashOf(sql), textOf(now))
    }
    connection.exec('COMMIT')
    return isNew
  } catch (error) {
    if (connection.inTransaction) connection.exec('ROLLBACK')
    if (error instanceof MigrationChanged) throw error
    const reason = messageOf(error)
    throw new MigrationFailed(name, reason, error)
  }
}

/** The migrations on record; none where their table is not there yet. */
export function ranMigrations(connection: Connection): RanMigration[] {
  if (!tableNames(connection).includes('migrations')) return []
  return connection
    .prepare('SELECT name, hash FROM migrations ORDER BY name')
    .all() as RanMigration[]
}
