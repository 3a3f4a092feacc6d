import { randomBytes } from 'node:crypto'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { readMigrations } from '../../db/migrate.ts'
import { Connection } from '../../db/postgres/connection.ts'
import { serverOf } from '../../db/postgres/address.ts'
import { migrate, migrationsFolder } from '../../db/postgres/migrations.ts'
import { lending } from '../on-server.ts'
import { dropDatabase, makeDatabase, type Made } from './address.ts'
import { withServer } from './server.ts'

/** What the others are copies of, and what empties one of them. */
interface Template {
  readonly name: string
  readonly shape: string
  readonly emptying: string
}

interface Migrated extends Made {
  readonly template: Template
  /** How many tests have had it. */
  had: number
}

/** What is deleted stays in its files, and is read past. */
const most = 50

const made = new Map<string, () => Promise<Migrated>>()

/**
 * A database of a test's own that all migrations ran on, as at that time. It is a copy of the one that they made first,
 * which takes less than most tests, or what a test that is over had, emptied, which takes half of that.
 */
export async function migratedIn(_folder: string, now: Date): Promise<DatabaseAddress> {
  const at = now.toISOString()
  const lend = made.get(at) ?? lendingAsAt(now)
  made.set(at, lend)
  return (await lend()).address
}

function lendingAsAt(now: Date): () => Promise<Migrated> {
  const template = makeTemplate(now)
  return lending<Migrated>({
    async make() {
      const like = await template
      return { ...(await makeDatabase(like.name)), template: like, had: 0 }
    },
    clean: async (lent) => ++lent.had < most && (await emptied(lent)),
    drop: dropDatabase,
  })
}

/** It stays until the server that the tests started is gone, or somebody drops it. */
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
  await gone(url)
  return { name, shape: String(shape), emptying: String(emptying) }
}

/** A database is copied only once all connections to it have ended, which takes the server a moment. */
async function gone(url: string): Promise<void> {
  const { database } = serverOf({ url })
  const connection = await Connection.open(serverOf({ url: process.env['DB_URL'] ?? '' }))
  const others = () =>
    connection.ask('SELECT 1 FROM pg_stat_activity WHERE datname = $1', [database])
  while ((await others()).length > 0);
  await connection.end()
}

/** Says whether it could be. */
async function emptied({ address, template }: Migrated): Promise<boolean> {
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

/** The catalogs that a change of a database's tables, of what belongs to them and of what lies beside them writes to. */
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

/** A sum over which transaction wrote each row there, but for those that the server came with. Of schemas those count too. */
const shapeSql = `(
  SELECT md5(string_agg(concat_ws(' ', catalog, id, xmin), ',' ORDER BY catalog, id, xmin::text))
  FROM (${Object.entries(catalogs)
    .map(([name, id]) => `SELECT '${name}', ${id}, xmin FROM ${name} WHERE ${id} >= 16384`)
    .join(' UNION ALL ')}
    UNION ALL SELECT 'pg_namespace', oid, xmin FROM pg_namespace WHERE nspname !~ '^pg_') AS changed (catalog, id, xmin))`

/** Whether a process has it open still, or it has settings of its own. */
const isMoreSql = `(
  EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid())
  OR EXISTS (
    SELECT FROM pg_db_role_setting JOIN pg_database ON pg_database.oid = setdatabase
    WHERE datname = current_database()))`

/** What deletes all rows but puts in those of the migrations as they are now, and begins to count anew. */
const emptyingSql = `(
  SELECT concat(
    'SET session_replication_role = replica; ',
    string_agg(format('DELETE FROM %s', oid::regclass), '; '),
    '; SELECT setval(seqrelid, 1, false) FROM pg_sequence; INSERT INTO migrations VALUES ',
    (SELECT string_agg(format('(%L, %L, %L)', name, hash, ran_at), ', ') FROM migrations))
  FROM pg_class WHERE relkind = 'r' AND oid >= 16384)`
