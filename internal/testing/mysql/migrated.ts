import type { DatabaseAddress } from '../../base/settings/config.ts'
import { readMigrations } from '../../db/migrate.ts'
import type { Connection } from '../../db/mysql/connection.ts'
import { migrate, migrationsFolder } from '../../db/mysql/migrations.ts'
import { quoted } from '../../db/statement.ts'
import { reuseDatabases } from '../database/on-server.ts'
import { dropDatabase, makeDatabase, type TestDatabase } from './address.ts'

/** The statements that create a fully migrated database; the last one records the migrations. */
type Copy = readonly string[]

interface Migrated extends TestDatabase {
  readonly copy: Copy
  /** The statements that would create its tables as they are before a test gets it. */
  readonly tables: Tables
}

/** By table name. */
type Tables = ReadonlyMap<string, string>

/**
 * Returns a migrated database for a test, as if migrated at that time. Its tables are copied from the first migrated
 * database, in a third of the time, or are those of a finished test, emptied, in a sixth of that.
 */
export async function migratedIn(_folder: string, now: Date): Promise<DatabaseAddress> {
  const { address, connection } = await takeDatabase()
  await connection.script('UPDATE migrations SET ran_at = ?', [now])
  return address
}

let first: Promise<Migrated> | undefined

const takeDatabase = reuseDatabases<Migrated>({
  make: () => (first ? copyDatabase(first) : (first = makeMigrated())),
  drop: dropDatabase,
  async clean({ name, connection, copy, tables }) {
    if ((await isOpenElsewhere(connection, name)) || (await hasLeftovers(connection, name)))
      return false
    const current = await tablesOf(connection)
    const isUnchanged =
      current.size === tables.size &&
      [...tables].every(([table, text]) => withoutCounter(current.get(table)) === text)
    if (!isUnchanged) return false
    // TRUNCATE only for tables whose ID counter has moved: it resets the counter, but takes ten times as long.
    const emptying = [...current].map(([table, text]) =>
      text === tables.get(table) ? `DELETE FROM ${quoted(table)}` : `TRUNCATE ${quoted(table)}`,
    )
    const statements = [...emptying, ...copy.slice(-1)].map((text) => ({ text, values: [] }))
    const { error } = await connection.askTogether(statements)
    return !error
  },
})

async function makeMigrated(): Promise<Migrated> {
  const database = await makeDatabase()
  const { address, connection } = database
  await migrate(address, readMigrations(migrationsFolder), new Date(0))
  const ran = await connection.rows("SELECT concat(quote(name), ', ', quote(hash)) FROM migrations")
  const rows = ran.map(([values]) => `(${String(values)}, UTC_TIMESTAMP(6))`)
  const tables = await tablesOf(connection)
  await connection.script(ignoreForeignKeys)
  const copy = [...tables.values(), `INSERT INTO migrations VALUES ${rows.join(', ')}`]
  return { ...database, copy, tables }
}

async function copyDatabase(from: Promise<Migrated>): Promise<Migrated> {
  const { copy } = await from
  const database = await makeDatabase()
  await database.connection.script(ignoreForeignKeys)
  for (const statement of copy) await database.connection.script(statement)
  return { ...database, copy, tables: await tablesOf(database.connection) }
}

const ignoreForeignKeys = 'SET SESSION foreign_key_checks = 0'

/** Whether a process still has the database open, or one kept by a restore. */
async function isOpenElsewhere(connection: Connection, name: string): Promise<boolean> {
  const [[own] = []] = await connection.rows('SELECT CONNECTION_ID()')
  // Not by SELECT, which fails while any connection runs a prepared statement with bytes that are not text.
  const open = await connection.rows('SHOW PROCESSLIST')
  return open.some(([id, , , database]) => id !== own && String(database).startsWith(name))
}

/** Whether a test left databases kept by a restore, objects besides tables, or another character set. */
async function hasLeftovers(connection: Connection, name: string): Promise<boolean> {
  const leftovers = await connection.rows(
    `SELECT 1 FROM information_schema.schemata WHERE LEFT(schema_name, ?) = ? AND schema_name <> ?
    UNION ALL SELECT 1 FROM information_schema.triggers WHERE trigger_schema = ?
    UNION ALL SELECT 1 FROM information_schema.routines WHERE routine_schema = ?
    UNION ALL SELECT 1 FROM information_schema.events WHERE event_schema = ?
    UNION ALL SELECT 1 FROM information_schema.column_statistics WHERE schema_name = ?
    UNION ALL SELECT 1 FROM information_schema.schemata
      WHERE schema_name = ? AND default_collation_name <> @@collation_server`,
    [name.length, ...Array<string>(7).fill(name)],
  )
  return leftovers.length > 0
}

async function tablesOf(connection: Connection): Promise<Tables> {
  const names = (await connection.rows('SHOW TABLES')).map(([name]) => String(name))
  const entries = names.map(async (table) => {
    const [[, text] = []] = await connection.rows(`SHOW CREATE TABLE ${quoted(table)}`)
    return [table, String(text)] as const
  })
  return new Map(await Promise.all(entries))
}

function withoutCounter(text: string | undefined): string | undefined {
  return text?.replace(/ AUTO_INCREMENT=\d+/, '')
}
