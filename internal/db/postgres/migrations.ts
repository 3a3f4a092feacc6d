import { messageOf } from '../../base/error-message.ts'
import { rowOf } from '../server/answer.ts'
import {
  hashOf,
  MigrationFailed,
  openMigrations,
  usualWait,
  type Migrate,
  type Migration,
  type RanMigration,
} from '../migrate.ts'
import { untilHeld } from '../server/guard.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import { beginLong } from './connection/limits.ts'
import { holdInside } from './connection/guard.ts'
import { holderReport } from './schema/holders.ts'
import { endHolders, lockKeys } from './locks.ts'
import { runReportingHolders, waitWithAdvice } from '../server/long-wait.ts'
import { tableNames } from './schema/tables.ts'
import type { PostgresUrl } from './connection/url.ts'

/** The folder of the migrations in a checkout of the project. */
export const migrationsFolder = 'migrations/postgres'

/** Runs each migration in a transaction. A process that starts meanwhile waits for its end, and then checks again. */
export const migrate: Migrate = async (database, migrations, now, options = {}) => {
  const { wait = usualWait, advise = () => {} } = options
  const until = performance.now() + wait
  const url = serverOf(database)
  const connection = await Connection.open(url)
  try {
    const ran: string[] = []
    while (openMigrations(migrations, await ranMigrations(connection)).length > 0)
      ran.push(...(await runNext(connection, migrations, { url, now, until, advise })))
    return ran
  } finally {
    await connection.end()
  }
}

/** Runs migrations in the current transaction, and records for each when it first ran. */
export async function migrateInside(
  connection: Connection,
  migrations: readonly (Migration & { ranAt: Date })[],
): Promise<void> {
  for (const migration of openMigrations(migrations, [])) {
    const { ranAt } = migrations.find(({ name }) => name === migration.name) ?? {
      ranAt: new Date(),
    }
    await runInside(connection, migration, ranAt)
  }
}

interface MigrationRun {
  readonly url: PostgresUrl
  readonly now: Date
  /** Until when to wait for a restore, by `performance.now()`. */
  readonly until: number
  readonly advise: (advice: string) => void
}

/**
 * Waits for its turn, runs the first pending migration, and returns its name; undefined if another process ran the
 * last.
 */
async function runNext(
  connection: Connection,
  migrations: readonly Migration[],
  { url, now, until, advise }: MigrationRun,
): Promise<string[]> {
  try {
    await connection.script(beginLong())
    await untilHeld(() => holdInside(connection), until)
    const ends = await endHolders(connection, 'migrating')
    const locked = connection.ask(`SELECT pg_advisory_xact_lock(${lockKeys.migrating})`)
    await waitWithAdvice(locked, () => patienceOrEnd(ends), advise)
    // Read again: another process may have run it meanwhile, or a restore replaced the database.
    const [next] = openMigrations(migrations, await ranMigrations(connection))
    if (next)
      await runReportingHolders(connection, holderReport(url, advise), () =>
        runOrExplain(connection, next, now),
      )
    else await connection.ask('ROLLBACK')
    return next ? [next.name] : []
  } catch (error) {
    if (!connection.lost.aborted) await connection.ask('ROLLBACK')
    throw error
  }
}

async function runOrExplain(connection: Connection, migration: Migration, at: Date): Promise<void> {
  try {
    await runInside(connection, migration, at)
    await connection.ask('COMMIT')
  } catch (cause) {
    const reason = messageOf(cause)
    throw new MigrationFailed(migration.name, reason, cause)
  }
}

function patienceOrEnd(ends: string): string {
  return `Wait until the process that migrates is done. If it is gone, end its connection: ${ends}`
}

async function runInside(
  connection: Connection,
  { name, sql }: Migration,
  at: Date,
): Promise<void> {
  const transaction = await transactionOf(connection)
  await connection.script(sql)
  if ((await transactionOf(connection)) !== transaction)
    throw new Error('it ends the transaction it runs in')
  await connection.script(`
    CREATE TABLE IF NOT EXISTS migrations (
      name text COLLATE "C" NOT NULL PRIMARY KEY,
      hash text NOT NULL,
      ran_at timestamptz NOT NULL
    )`)
  await connection.ask('INSERT INTO migrations (name, hash, ran_at) VALUES ($1, $2, $3)', [
    name,
    hashOf(sql),
    at,
  ])
}

async function transactionOf(connection: Connection): Promise<unknown> {
  const transaction = rowOf(
    await connection.ask<{ id: string }>('SELECT pg_current_xact_id()::text AS id'),
  )
  return transaction.id
}

/** Returns the recorded migrations; none if their table does not exist yet. */
export async function ranMigrations(connection: Connection): Promise<RanMigration[]> {
  if (!(await tableNames(connection)).includes('migrations')) return []
  const ran = await connection.ask<RanMigration>('SELECT name, hash FROM migrations ORDER BY name')
  return Array.from(ran)
}
