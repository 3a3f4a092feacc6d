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
import { runReportingHolders, waitWithAdvice } from '../server/long-wait.ts'
import { messageOf } from '../../base/error-message.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import { closeFreeing, holdOne } from './connection/guard.ts'
import { holderReport } from './schema/holders.ts'
import { migratingLock, openLocks } from './locks.ts'
import { makeObjects } from './schema/objects.ts'
import { statementsOf } from './schema/split.ts'
import { tableNames, underWay } from './schema/tables.ts'

/** The folder of the migrations in a checkout of the project. */
export const migrationsFolder = 'migrations/mysql'

/**
 * The server commits each DDL statement separately: so a migration's statements run one by one, and the current one is
 * recorded until the last is done. A process that starts meanwhile waits until all have run, and then checks again. A
 * restore between two statements would leave both databases with half of a migration: none can begin until this
 * connection is closed.
 */
export const migrate: Migrate = async (database, migrations, now, options = {}) => {
  const { wait = usualWait, advise = () => {} } = options
  const until = performance.now() + wait
  const url = serverOf(database)
  const connection = await Connection.open(url)
  try {
    const locks = openLocks(url)
    await untilHeld(() => holdOne(connection, locks), until)
    const lock = migratingLock(url)
    const locked = connection.ask('SELECT GET_LOCK(?, -1) AS held', [lock])
    await waitWithAdvice(
      locked,
      () =>
        `Wait until the process that migrates is done. If it is gone, end its connection: SELECT IS_USED_LOCK('${lock}') says its number, and KILL ends it.`,
      advise,
    )
    await makeObjects(connection)
    await finishOrRefuse(connection, migrations, now)
    const ran: string[] = []
    for (const migration of openMigrations(migrations, await ranMigrations(connection))) {
      await runReportingHolders(connection, holderReport(url, advise), () =>
        runOne(connection, migration, now),
      )
      ran.push(migration.name)
    }
    return ran
  } finally {
    await closeFreeing(connection)
  }
}

/** Runs a migration statement by statement, and records when it ran. */
export async function runOne(
  connection: Connection,
  migration: Migration,
  ranAt: Date,
): Promise<void> {
  await makeRecords(connection)
  const { name, sql } = migration
  const statements = statementsOf(sql)
  for (const [at, statement] of statements.entries()) {
    await connection.ask(
      `REPLACE INTO ${underWay} (id, name, statement, of_all, finished) VALUES (1, ?, ?, ?, FALSE)`,
      [name, at + 1, statements.length],
    )
    await runStatement(connection, { name, number: at + 1, ofAll: statements.length, statement })
  }
  await noteDown(connection, migration, ranAt)
}

interface StatementPosition {
  readonly name: string
  /** The number of the statement, from 1, and how many there are. */
  readonly number: number
  readonly ofAll: number
  /** Empty if its text is unknown. */
  readonly statement: string
}

async function runStatement(connection: Connection, position: StatementPosition): Promise<void> {
  try {
    await connection.script(position.statement)
  } catch (cause) {
    const why = messageOf(cause)
    // A refused statement did nothing, so after a refusal of the first there is nothing to repair.
    if (connection.lost.aborted || position.number > 1) throw stoppedAt(position, why, cause)
    await connection.script(`DELETE FROM ${underWay}`)
    throw new MigrationFailed(position.name, why, cause)
  }
}

function stoppedAt(
  { name, number, ofAll, statement }: StatementPosition,
  why: string,
  cause?: unknown,
): Error {
  const before = number - 1
  const standing =
    before === 0
      ? 'No statement before it'
      : before === 1
        ? 'The one before it'
        : `The ${before} before it`
  const text = statement === '' ? '' : ` (${shortened(statement)})`
  return new Error(
    `The migration ${name} failed, and stopped half-way at statement ${number} of ${ofAll}${text}: ${why}. ` +
      `${standing} ${before > 1 ? 'hold' : 'holds'}; look whether this one does. Then either undo what holds and run DELETE FROM ${underWay}, ` +
      `or run the rest by hand and run UPDATE ${underWay} SET finished = TRUE; then start again.`,
    { cause },
  )
}

function shortened(statement: string): string {
  const text = statement.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim()
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}

interface UnderWay {
  readonly name: string
  readonly statement: number
  readonly ofAll: number
  readonly finished: boolean
}

/** Throws if a migration stopped half-way and nobody has finished it by hand. */
export async function refuseHalfWay(connection: Connection): Promise<void> {
  const half = await halfWay(connection)
  if (half && !half.finished) throw cutShort(half, '')
}

/** Throws if a migration stopped half-way; records it as run if somebody has finished it by hand. */
async function finishOrRefuse(
  connection: Connection,
  migrations: readonly Migration[],
  now: Date,
): Promise<void> {
  const half = await halfWay(connection)
  if (!half) return
  const migration = migrations.find(({ name }) => name === half.name)
  if (migration && half.finished) {
    await noteDown(connection, migration, now)
    return
  }
  const statements = migration ? statementsOf(migration.sql) : []
  throw cutShort(half, statements[half.statement - 1] ?? '')
}

function cutShort({ name, statement: number, ofAll }: UnderWay, statement: string): Error {
  return stoppedAt({ name, number, ofAll, statement }, 'it was cut short')
}

async function halfWay(connection: Connection): Promise<UnderWay | undefined> {
  const rows = await connection.ask(
    'SELECT 1 FROM information_schema.tables WHERE table_schema = DATABASE() AND table_name = ?',
    [underWay],
  )
  if (rows.length === 0) return undefined
  const [half] = await connection.ask<UnderWay>(
    `SELECT name, statement, of_all, finished FROM ${underWay}`,
  )
  return half
}

/** Records a migration as run, and in the same transaction that none is running. */
async function noteDown(
  connection: Connection,
  { name, sql }: Migration,
  ranAt: Date,
): Promise<void> {
  await connection.script('START TRANSACTION')
  await connection.ask('INSERT INTO migrations (name, hash, ran_at) VALUES (?, ?, ?)', [
    name,
    hashOf(sql),
    ranAt,
  ])
  await connection.script(`DELETE FROM ${underWay}`)
  await connection.script('COMMIT')
}

async function makeRecords(connection: Connection): Promise<void> {
  await connection.script(`
    CREATE TABLE IF NOT EXISTS migrations (
      name VARCHAR(255) NOT NULL PRIMARY KEY,
      hash VARCHAR(255) NOT NULL,
      ran_at DATETIME(6) NOT NULL
    ) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin`)
  await connection.script(`
    CREATE TABLE IF NOT EXISTS ${underWay} (
      id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
      name VARCHAR(255) NOT NULL,
      statement INTEGER NOT NULL,
      of_all INTEGER NOT NULL,
      finished BOOLEAN NOT NULL
    ) CHARACTER SET utf8mb4 COLLATE utf8mb4_0900_bin`)
}

/** Returns the recorded migrations; none if their table does not exist yet. */
export async function ranMigrations(connection: Connection): Promise<RanMigration[]> {
  if (!(await tableNames(connection)).includes('migrations')) return []
  const ran = await connection.ask<RanMigration>('SELECT name, hash FROM migrations ORDER BY name')
  return Array.from(ran)
}
