import { hash } from 'node:crypto'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { RanMigration } from '../copies.ts'
import type { Migration } from '../migrate.ts'
import { fileOf } from './address.ts'
import { openWriter, whileBusy, type Connection } from './connection.ts'
import { textOf } from './times.ts'

/** Another process may be migrating: its turn takes as long as its largest change. Milliseconds. */
const turn = 60_000

/**
 * Runs the migrations that have not run on the file yet, in order, and returns their names. Each runs whole or
 * not at all, and once, however many processes start at once. Throws for one that changed since it ran, before
 * any other runs.
 */
export async function migrate(
  database: DatabaseAddress,
  migrations: readonly Migration[],
  now: Date,
): Promise<string[]> {
  const connection = await openWriter(fileOf(database), turn)
  try {
    const ordered = migrations.toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const open = ordered.filter((migration) => !hasRun(connection, migration))
    const ran: string[] = []
    for (const migration of open) {
      await whileBusy(turn, () => connection.exec('BEGIN IMMEDIATE'))
      if (run(connection, migration, now)) ran.push(migration.name)
    }
    return ran
  } finally {
    connection.close()
  }
}

/** How those of a build stand to those that ran, by name: not yet, as something else, and of no file there. */
export function compareMigrations(
  migrations: readonly Migration[],
  ran: readonly RanMigration[],
): { pending: string[]; changed: string[]; unknown: string[] } {
  const hashes = new Map(ran.map(({ name, hash }) => [name, hash]))
  const known = new Set(migrations.map(({ name }) => name))
  const names = (is: (migration: Migration) => boolean) =>
    migrations.filter(is).map(({ name }) => name)
  return {
    pending: names(({ name }) => !hashes.has(name)),
    changed: names(({ name, sql }) => hashes.has(name) && hashes.get(name) !== hashOf(sql)),
    unknown: ran.filter(({ name }) => !known.has(name)).map(({ name }) => name),
  }
}

/** Ends the transaction it is called in. Returns false when another process was first. */
function run(connection: Connection, migration: Migration, now: Date): boolean {
  const { name, sql } = migration
  try {
    const isNew = !hasRun(connection, migration)
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
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The migration ${name} failed, and left nothing: ${reason}`, { cause: error })
  }
}

function hasRun(connection: Connection, { name, sql }: Migration): boolean {
  const table = `SELECT 1 FROM sqlite_schema WHERE name = 'migrations'`
  if (connection.prepare(table).get() === undefined) return false
  const ran = connection.prepare('SELECT hash FROM migrations WHERE name = ?').pluck().get(name)
  if (ran !== undefined && ran !== hashOf(sql)) throw new MigrationChanged(name)
  return ran !== undefined
}

/** The same for line ends of Windows, which a check-out there may make. */
function hashOf(sql: string): string {
  return hash('sha256', sql.replaceAll('\r\n', '\n'))
}

class MigrationChanged extends Error {
  override readonly name = 'MigrationChanged'

  constructor(migration: string) {
    super(
      `The migration ${migration} has changed since it ran. One that has run is never changed: ` +
        'put it back as it was, and write a new one for the change.',
    )
  }
}
