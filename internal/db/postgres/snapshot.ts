import { errorCode } from '../../base/error-code.ts'
import { errorSentence } from '../../base/error-message.ts'
import {
  DatabaseDamaged,
  type Cells,
  type ColumnType,
  type Snapshot,
  type Snapshots,
  type Table,
} from '../snapshot.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import { beginLong } from './connection/limits.ts'
import { quoted } from '../statement.ts'
import { cellOf, migrationsIn, photosIn } from '../server/rows.ts'
import { refuseUnsound } from '../server/soundness.ts'
import { holdDatabase } from './schema/held-database.ts'
import { foreignKeysIn, tablesOf } from './schema/columns.ts'
import { tableNames } from './schema/tables.ts'

export const snapshots: Snapshots = {
  async take(database) {
    const connection = await Connection.open(serverOf(database))
    try {
      // From here on it reads one moment, and blocks no writer.
      await connection.script(beginLong({ mode: 'ISOLATION LEVEL REPEATABLE READ READ ONLY' }))
      return await snapshotOf(connection)
    } catch (error) {
      await connection.end()
      throw explainDamage(error)
    }
  },

  hold: holdDatabase,
}

async function snapshotOf(connection: Connection): Promise<Snapshot> {
  const tables = await tableNames(connection)
  await refuseUnsound(connection, { tables, keys: await foreignKeysIn(connection) })
  let cursors = 0
  return {
    migrations: tables.includes('migrations') ? await migrationsIn(connection) : [],
    tables: await tablesOf(connection),
    rows: (table) => rowsOf(connection, table, `rows_${++cursors}`),
    photos: () => photosIn(connection),
    close: () => connection.end(),
  }
}

// Rows per batch, which takes a millisecond or two; between batches the rest of the process can run.
const part = 500

async function* rowsOf(
  connection: Connection,
  { name, columns }: Table,
  cursor: string,
): AsyncGenerator<Cells[]> {
  const named = Object.entries(columns)
  const list = named.map(([column, type]) => selected(column, type)).join(', ')
  try {
    await connection.script(
      `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${list} FROM ${quoted(name)}`,
    )
    for (;;) {
      const rows = await connection.rows(`FETCH ${part} FROM ${cursor}`)
      if (rows.length > 0)
        yield rows.map((row) => row.map((value, at) => cellOf(value, named[at]?.[1])))
      if (rows.length < part) break
    }
    await connection.script(`CLOSE ${cursor}`)
  } catch (error) {
    throw explainDamage(error)
  }
}

/** Returns SQL for a column; a time is selected as text, since a Date would lose the microseconds. */
function selected(column: string, type: ColumnType): string {
  const name = quoted(column)
  return type === 'time'
    ? `to_char(${name} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : name
}

/** Returns a `DatabaseDamaged` for a corrupt page's error (PostgreSQL's class XX); other errors unchanged. */
function explainDamage(error: unknown): unknown {
  return errorCode(error).startsWith('XX')
    ? new DatabaseDamaged([errorSentence(error)], error)
    : error
}
