import { errorCode } from '../../../base/error-code.ts'
import { errorSentence } from '../../../base/error-message.ts'
import { openMigrations } from '../../migrate.ts'
import { quoted } from '../../statement.ts'
import { countsOf, photosIn } from '../../server/rows.ts'
import { refuseUnsound } from '../../server/soundness.ts'
import {
  DatabaseDamaged,
  type Cells,
  type LockedDatabase,
  type Replacement,
  type Table,
} from '../../snapshot.ts'
import type { Connection } from '../connection.ts'
import { runOne } from '../migrations.ts'
import { takeObjects } from './objects.ts'
import { foreignKeysIn, tablesOf } from './columns.ts'

/**
 * Creates the tables by the migrations in a database of their own, without the rows these insert. `check` checks the
 * foreign keys at the end: rows may be inserted before those they refer to.
 */
export async function newSchema(
  connection: Connection,
  schema: string,
  migrations: Parameters<LockedDatabase['build']>[0],
): Promise<Omit<Replacement, 'putInPlace' | 'undone'>> {
  await connection.script(`CREATE DATABASE ${quoted(schema)}`)
  await connection.script(`USE ${quoted(schema)}`)
  await connection.script('SET SESSION foreign_key_checks = 0')
  for (const migration of openMigrations(migrations, [])) {
    const ran = migrations.find(({ name }) => name === migration.name)
    await runOne(connection, migration, ran?.ranAt ?? new Date())
  }
  // Triggers would treat restored rows as new ones.
  await takeObjects(connection)
  const tables = await tablesOf(connection)
  for (const { name } of tables) await connection.script(`DELETE FROM ${quoted(name)}`)
  return {
    tables,
    put: (table, rows) => put(connection, table, rows),
    async check() {
      const keys = await foreignKeysIn(connection)
      await refuseUnsound(connection, { tables: tables.map(({ name }) => name), keys })
      return countsOf(connection, tables)
    },
    photos: () => photosIn(connection),
  }
}

async function put(
  connection: Connection,
  table: Table,
  parts: Parameters<Replacement['put']>[1],
): Promise<void> {
  for await (const rows of parts)
    try {
      if (rows.length > 0) await insert(connection, table, rows)
    } catch (error) {
      if (!isOfRow(error)) throw error
      const reason = errorSentence(error)
      throw new DatabaseDamaged([`A row of ${table.name} cannot be kept: ${reason}`], error)
    }
  await goOnAfter(connection, table)
}

/** Whether an error is the row's: it violates a constraint, or a column cannot hold its value. */
function isOfRow(error: unknown): boolean {
  const state = error instanceof Error && 'sqlState' in error ? String(error.sqlState) : ''
  const named = /CHECK_CONSTRAINT|TRUNCATED|WRONG_VALUE|NO_DEFAULT|DATA_TOO_LONG/
  return /^2[23]/.test(state) || named.test(errorCode(error))
}

async function insert(
  connection: Connection,
  { name, columns }: Table,
  rows: readonly Cells[],
): Promise<void> {
  const types = Object.values(columns)
  const names = Object.keys(columns).map(quoted).join(', ')
  const places = rows.map(() => `(${types.map(() => '?').join(', ')})`).join(', ')
  const values = rows.flatMap((row) =>
    row.map((cell, at) => (types[at] === 'time' ? timeOf(cell) : cell)),
  )
  await connection.script(`INSERT INTO ${quoted(name)} (${names}) VALUES ${places}`, values)
}

/** Returns a time as text in MySQL's format: a Date would lose the microseconds. */
function timeOf(cell: Cells[number] | undefined): unknown {
  return typeof cell === 'string' ? cell.replace('T', ' ').replace(/Z$/, '') : cell
}

/** Makes new IDs start after the highest ever assigned. MySQL itself skips those present. */
async function goOnAfter(connection: Connection, { name, lastId }: Table): Promise<void> {
  if (lastId > 0)
    await connection.script(`ALTER TABLE ${quoted(name)} AUTO_INCREMENT = ${lastId + 1}`)
}
