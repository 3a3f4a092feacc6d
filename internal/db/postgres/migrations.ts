import {
  hashOf,
  MigrationChanged,
  openMigrations,
  type Migrate,
  type Migration,
  type RanMigration,
} from '../migrate.ts'
import { serverOf } from './address.ts'
import { beginLong, Connection } from './connection.ts'
import { endHolders, lockKeys } from './locks.ts'
import { waitedFor } from '../server/long-wait.ts'
import { tablesIn } from './tables.ts'

/** Where a checkout of the project keeps them. */
export const migrationsFolder = 'migrations/postgres'

/** Each runs in a transaction, whole or not at all. Whoever comes meanwhile waits for its end, and looks again. */
export const migrate: Migrate = async (database, migrations, now, waits = () => {}) => {
  const connection = await Connection.open(serverOf(database))
  try {
    const ran: string[] = []
    for (const migration of openMigrations(migrations, await ranMigrations(connection)))
      if (await run(connection, migration, { now, waits })) ran.push(migration.name)
    return ran
  } finally {
    await connection.end()
  }
}

/** Runs them in the transaction that is under way, as having run when they did. */
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

interface Turn {
  readonly now: Date
  readonly waits: (advice: string) => void
}

/** Returns false when another process was first. */
async function run(
  connection: Connection,
  migration: Migration,
  { now, waits }: Turn,
): Promise<boolean> {
  const { name } = migration
  try {
    await connection.script(beginLong({ mode: 'ISOLATION LEVEL READ COMMITTED' }))
    const locked = connection.ask(`SELECT pg_advisory_xact_lock(${lockKeys.migrating})`)
    await waitedFor(locked, () => waits(patienceOrEnd))
    const isNew = openMigrations([migration], await ranMigrations(connection)).length > 0
    if (isNew) await runInside(connection, migration, now)
    await connection.ask('COMMIT')
    return isNew
  } catch (error) {
    if (!connection.lost.aborted) await connection.ask('ROLLBACK')
    if (error instanceof MigrationChanged) throw error
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`The migration ${name} failed, and left nothing: ${reason}`, { cause: error })
  }
}

const patienceOrEnd = `Wait until the process that migrates is done. If it is gone, end its connection: ${endHolders('migrating')}`

async function runInside(
  connection: Connection,
  { name, sql }: Migration,
  at: Date,
): Promise<void> {
  const before = await transactionOf(connection)
  await connection.script(sql)
  if ((await transactionOf(connection)) !== before)
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
  const [is] = (await connection.ask('SELECT pg_current_xact_id()::text AS id')) as unknown as [
    { id: string },
  ]
  return is.id
}

/** Those on record; none where the table is not there yet. */
export async function ranMigrations(connection: Connection): Promise<RanMigration[]> {
  if (!(await tablesIn(connection)).includes('migrations')) return []
  const ran = await connection.ask('SELECT name, hash FROM migrations ORDER BY name')
  return Array.from(ran) as RanMigration[]
}
