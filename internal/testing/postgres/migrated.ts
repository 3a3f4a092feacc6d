import { randomBytes } from 'node:crypto'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { readMigrations } from '../../db/migrate.ts'
import { Connection } from '../../db/postgres/connection.ts'
import { serverOf } from '../../db/postgres/address.ts'
import { migrate, migrationsFolder } from '../../db/postgres/migrations.ts'
import { reuseDatabases } from '../database/on-server.ts'
import { dropDatabase, makeDatabase, type TestDatabase } from './address.ts'
import { withServer } from './server.ts'

/** The migrated database that is copied, and the statements that empty a copy. */
interface Template {
  readonly name: string
  readonly shape: string
  readonly emptying: string
}

interface Migrated extends TestDatabase {
  readonly template: Template
  /** How many tests have used it. */
  uses: number
}

/** How many tests may use one database: deleted rows stay in its files, and slow reads down. */
const mostUses = 50

const takersByTime = new Map<string, () => Promise<Migrated>>()

/**
 * Returns a migrated database for a test, as if migrated at that time. It is a copy of the first migrated database,
 * which takes less time than most tests, or that of a finished test, emptied, which takes half of that.
 */
export async function migratedIn(_folder: string, now: Date): Promise<DatabaseAddress> {
  const at = now.toISOString()
  const takeDatabase = takersByTime.get(at) ?? databasesMigratedAt(now)
  takersByTime.set(at, takeDatabase)
  return (await takeDatabase()).address
}

function databasesMigratedAt(now: Date): () => Promise<Migrated> {
  const template = makeTemplate(now)
  return reuseDatabases<Migrated>({
    async make() {
      const source = await template
      return { ...(await makeDatabase(source.name)), template: source, uses: 0 }
    },
    clean: async (database) => ++database.uses < mostUses && (await empty(database)),
    drop: dropDatabase,
  })
}

/** Creates the database to copy. It stays until the server started by the tests is gone, or somebody drops it. */
async function makeTemplate(now: Date): Promise<Template> {
  const name = `template_${randomBytes(8).toString('hex')}`
  const url = await withServer(async (ask, urlOf) => {
    await ask(`CREATE DATABASE ${name} TEMPLATE template0 STRATEGY file_copy`)
    return urlOf(name)
  })
  await migrate({ url }, readMigrations(migrationsFolder), now)
  const connection = await Connection.open(serverOf({ url }))
  const [[shape, emptying] = []] = await connection.rows(`SELECT ${shapeSql}, ${emptyingSql}`)
  await connection.end()
  await awaitClosed(url)
  return { name, shape: String(shape), emptying: String(emptying) }
}

/** Waits until all connections to a database have ended, which takes a moment: before that it cannot be copied. */
async function awaitClosed(url: string): Promise<void> {
  const { database } = serverOf({ url })
  const connection = await Connection.open(serverOf({ url: process.env['DB_URL'] ?? '' }))
  const connections = () =>
    connection.ask('SELECT 1 FROM pg_stat_activity WHERE datname = $1', [database])
  while ((await connections()).length > 0);
  await connection.end()
}

/** Empties a database; false if it could not be reset. */
async function empty({ address, template }: Migrated): Promise<boolean> {
  const connection = await Connection.open(serverOf(address))
  try {
    const [[shape, isMore] = []] = await connection.rows(`SELECT ${shapeSql}, ${isMoreSql}`)
    if (shape !== template.shape || isMore) return false
    await connection.script(template.emptying)
    return true
  } finally {
    await connection.end()
  }
}

/** The catalogs written by any change of a database's tables, their parts and other objects. */
const catalogs = {
  pg_attribute: 'attrelid',
  pg_cast: 'oid',
  pg_class: 'oid',
  pg_collation: 'oid',
  pg_constraint: 'oid',
  pg_default_acl: 'oid',
  pg_description: 'objoid',
  pg_index: 'indexrelid',
  pg_largeobject_metadata: 'oid',
  pg_policy: 'oid',
  pg_proc: 'oid',
  pg_publication: 'oid',
  pg_statistic: 'starelid',
  pg_statistic_ext: 'oid',
  pg_trigger: 'oid',
  pg_ts_config: 'oid',
  pg_type: 'oid',
}

/**
 * A hash over the transactions that wrote those catalogs' rows, except the server's own, and over the rows of all
 * schemas except the server's internal ones.
 */
const shapeSql = `(
  SELECT md5(string_agg(concat_ws(' ', catalog, id, xmin), ',' ORDER BY catalog, id, xmin::text))
  FROM (${Object.entries(catalogs)
    .map(([name, id]) => `SELECT '${name}', ${id}, xmin FROM ${name} WHERE ${id} >= 16384`)
    .join(' UNION ALL ')}
    UNION ALL SELECT 'pg_namespace', oid, xmin FROM pg_namespace WHERE nspname !~ '^pg_') AS changed (catalog, id, xmin))`

/** Whether a process still has the database open, or it has settings of its own. */
const isMoreSql = `(
  EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid())
  OR EXISTS (
    SELECT FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase
    WHERE datname = current_database()))`

/** Returns the statements that delete all rows, restore those of the migrations, and reset the IDs. */
const emptyingSql = `(
  SELECT concat(
    'SET session_replication_role = replica; ',
    string_agg(format('DELETE FROM %s', oid::regclass), '; '),
    '; SELECT setval(seqrelid, 1, false) FROM pg_sequence; INSERT INTO migrations VALUES ',
    (SELECT string_agg(format('(%L, %L, %L)', name, hash, ran_at), ', ') FROM migrations))
  FROM pg_class WHERE relkind = 'r' AND oid >= 16384)`
