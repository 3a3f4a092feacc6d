import { join } from 'node:path'
import { readMigrations } from '../../../internal/db/migrate.ts'
import { serverOf as onMysql } from '../../../internal/db/mysql/address.ts'
import { Connection as Mysql } from '../../../internal/db/mysql/connection.ts'
import { migrate as migrateMysql } from '../../../internal/db/mysql/migrations.ts'
import { serverOf as onPostgres } from '../../../internal/db/postgres/address.ts'
import { Connection as Postgres } from '../../../internal/db/postgres/connection.ts'
import { migrate as migratePostgres } from '../../../internal/db/postgres/migrations.ts'
import type { Extent } from '../tools/fault.ts'

/** Creates an empty database on a server, and returns its address. */
export async function newDatabase(
  url: string,
  name: string,
  extent: Pick<Extent, 'database'>,
): Promise<string> {
  await queryAt(url, extent, `CREATE DATABASE ${name}`)
  return url.replace(/\/\w+$/, `/${name}`)
}

/** Returns a new database's schema before all migrations, and after each of them. */
export async function statesOfSchema(url: string, extent: Extent): Promise<readonly string[]> {
  const migrations = ownMigrations(extent)
  const place = await newDatabase(url, 'states', extent)
  const states = [await schemaAt(place, extent)]
  for (const [n] of migrations.entries()) {
    await migrateFor(extent)({ url: place }, migrations.slice(0, n + 1), new Date())
    states.push(await schemaAt(place, extent))
  }
  return states
}

/** Returns columns, indexes and the recorded migrations. */
export async function schemaAt(url: string, extent: Extent): Promise<string> {
  const schemaExpression = extent.database === 'mysql' ? 'DATABASE()' : 'current_schema()'
  const queries = [
    `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
      WHERE table_schema = ${schemaExpression} AND table_name NOT IN ('migrations', 'migration_under_way')
      ORDER BY 1, 2`,
    `SELECT table_name, constraint_name FROM information_schema.table_constraints
      WHERE table_schema = ${schemaExpression} AND table_name NOT IN ('migrations', 'migration_under_way')
        AND constraint_type <> 'CHECK'
      ORDER BY 1, 2`,
    extent.database === 'mysql'
      ? `SELECT table_name, index_name, column_name FROM information_schema.statistics
          WHERE table_schema = DATABASE() AND table_name NOT IN ('migrations', 'migration_under_way')
          ORDER BY 1, 2, seq_in_index`
      : `SELECT indexdef FROM pg_indexes
          WHERE schemaname = current_schema() AND tablename <> 'migrations' ORDER BY 1`,
    `SELECT count(*) FROM information_schema.tables
      WHERE table_schema = ${schemaExpression} AND table_name = 'migrations'`,
  ]
  const rows: unknown[] = []
  for (const sql of queries) rows.push(await queryAt(url, extent, sql))
  const isRecorded = String(rows.pop()) === '1'
  if (isRecorded)
    rows.push(await queryAt(url, extent, 'SELECT name, hash FROM migrations ORDER BY name'))
  return JSON.stringify(rows)
}

/** Returns how many migrations are recorded. Running one twice would have failed, since its tables exist. */
export async function migrationsRun(url: string, extent: Extent): Promise<number> {
  const [row] = await queryAt(url, extent, 'SELECT count(*) FROM migrations')
  return Number(row?.[0])
}

/** Returns the service's own migrations for the tested database. */
export function ownMigrations({ database }: Extent) {
  return readMigrations(join(import.meta.dirname, '../../../migrations', database))
}

function migrateFor({ database }: Extent) {
  return database === 'mysql' ? migrateMysql : migratePostgres
}

async function queryAt(
  url: string,
  { database }: Pick<Extent, 'database'>,
  sql: string,
): Promise<unknown[][]> {
  const connection =
    database === 'mysql'
      ? await Mysql.open(onMysql({ url }))
      : await Postgres.open(onPostgres({ url }))
  try {
    return await connection.rows(sql)
  } finally {
    await connection.end()
  }
}
