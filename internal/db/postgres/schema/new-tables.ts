import { errorCode } from '../../../base/error-code.ts'
import { errorSentence } from '../../../base/error-message.ts'
import {
  DatabaseDamaged,
  type Cells,
  type ColumnType,
  type LockedDatabase,
  type Replacement,
  type Table,
} from '../../snapshot.ts'
import type { Connection } from '../connection.ts'
import { quoted } from '../../statement.ts'
import { countsOf, photosIn } from '../../server/rows.ts'
import { refuseUnsound } from '../../server/soundness.ts'
import { migrateInside } from '../migrations.ts'
import { refreshViews, stopTriggers } from './objects.ts'
import { foreignKeysIn, tablesOf, type DeclaredKey } from './columns.ts'
import { tableNames } from './tables.ts'

/**
 * Creates the tables by the migrations, without the rows these insert, in the current transaction. `check` adds the
 * foreign keys at the end: rows may be inserted before those they refer to.
 */
export async function newTables(
  connection: Connection,
  migrations: Parameters<LockedDatabase['build']>[0],
): Promise<Omit<Replacement, 'putInPlace' | 'undone'>> {
  await migrateInside(connection, migrations)
  const keys = await foreignKeysIn(connection)
  for (const { child, name } of keys)
    await connection.script(`ALTER TABLE ${quoted(child)} DROP CONSTRAINT ${quoted(name)}`)
  // Triggers would treat restored rows as new ones.
  const triggers = await stopTriggers(connection)
  const tables = await tablesOf(connection)
  for (const { name } of tables) await connection.script(`DELETE FROM ${quoted(name)}`)
  return {
    tables,
    put: (table, rows) => put(connection, table, rows),
    async check() {
      await refuseUnsound(connection, { tables: tables.map(({ name }) => name), keys })
      await refer(connection, keys)
      for (const start of triggers) await connection.script(start)
      await refreshViews(connection)
      await analyze(connection)
      return countsOf(connection, tables)
    },
    photos: () => photosIn(connection),
  }
}

/**
 * Without statistics on the new rows the server would plan badly. Names each table: for tables that this user may not
 * analyze, such as the server's own, the server would log warnings.
 */
async function analyze(connection: Connection): Promise<void> {
  const names = await tableNames(connection)
  await connection.script(`ANALYZE ${names.map(quoted).join(', ')}`)
}

async function put(
  connection: Connection,
  table: Table,
  parts: Parameters<Replacement['put']>[1],
): Promise<void> {
  for await (const rows of parts)
    try {
      await insert(connection, table, rows)
    } catch (error) {
      // Constraint violations, and values that do not fit the column's type.
      if (!/^2[23]/.test(errorCode(error))) throw error
      const reason = errorSentence(error)
      throw new DatabaseDamaged([`A row of ${table.name} cannot be kept: ${reason}`], error)
    }
  await goOnAfter(connection, table)
}

const casts: Readonly<Record<ColumnType, string>> = {
  integer: 'bigint',
  number: 'double precision',
  text: 'text',
  boolean: 'boolean',
  // Sent as text and converted by the server: the client would cut off the microseconds.
  time: 'text::timestamptz',
  bytes: 'bytea',
}

// Slightly below 65,535, the most values of a statement.
const mostValues = 60_000

async function insert(
  connection: Connection,
  { name, columns }: Table,
  rows: readonly Cells[],
): Promise<void> {
  const types = Object.values(columns)
  const most = Math.floor(mostValues / types.length)
  for (let start = 0; start < rows.length; start += most) {
    const batch = rows.slice(start, start + most)
    const places = batch.map((_, row) => {
      const marks = types.map((type, at) => `$${row * types.length + at + 1}::${casts[type]}`)
      return `(${marks.join(', ')})`
    })
    const names = Object.keys(columns).map(quoted).join(', ')
    await connection.ask(
      `INSERT INTO ${quoted(name)} (${names}) OVERRIDING SYSTEM VALUE VALUES ${places.join(', ')}`,
      batch.flat(),
    )
  }
}

/** Makes new IDs start after the highest ever assigned and the highest present. */
async function goOnAfter(connection: Connection, { name, lastId }: Table): Promise<void> {
  const rows = await connection.ask<{ column: string; sequence: string }>(
    `SELECT attname AS column, pg_get_serial_sequence($1, attname) AS sequence
    FROM pg_attribute
    WHERE attrelid = $1::text::regclass AND attnum > 0 AND NOT attisdropped
      AND pg_get_serial_sequence($1, attname) IS NOT NULL`,
    [quoted(name)],
  )
  for (const { column, sequence } of rows)
    await connection.ask(
      `SELECT setval($1::text::regclass, last) FROM (
        SELECT greatest($2::bigint, max(${quoted(column)})) AS last FROM ${quoted(name)}) AS ids
      WHERE last > 0`,
      [sequence, lastId],
    )
}

/** Adds the foreign keys again, as the migrations declare them. */
async function refer(connection: Connection, keys: readonly DeclaredKey[]): Promise<void> {
  for (const { child, name, definition } of keys)
    await connection.script(
      `ALTER TABLE ${quoted(child)} ADD CONSTRAINT ${quoted(name)} ${definition}`,
    )
}
