import { errorCode } from '../../base/error-code.ts'
import { errorSentence } from '../../base/error-message.ts'
import { quoted } from '../statement.ts'
import { cellOf, migrationsIn, photosIn } from '../server/rows.ts'
import { refuseUnsound } from '../server/soundness.ts'
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
import { holdDatabase } from './schema/held-database.ts'
import { refuseHalfWay } from './migrations.ts'
import { foreignKeysIn, primaryKeyOf, tablesOf } from './schema/columns.ts'
import { tableNames } from './schema/tables.ts'

export const snapshots: Snapshots = {
  async take(database) {
    const connection = await Connection.open(serverOf(database))
    try {
      // From here on it reads one moment, and blocks no writer.
      await connection.script("SET SESSION transaction_isolation = 'REPEATABLE-READ'")
      await connection.script('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY')
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
  const migrations = tables.includes('migrations') ? await migrationsIn(connection) : []
  // If the first migration stopped half-way, none is recorded, and no table could be recreated from the backup. If a
  // later one did, everything but its own part could.
  if (migrations.length === 0) await refuseHalfWay(connection)
  await refuseUnsound(connection, { tables, keys: await foreignKeysIn(connection) })
  return {
    migrations,
    tables: await tablesOf(connection),
    rows: (table) => rowsOf(connection, table),
    photos: () => photosIn(connection),
    close: () => connection.end(),
  }
}

// Rows per batch, which takes a millisecond or two; between batches the rest of the process can run.
const part = 500

async function* rowsOf(
  connection: Connection,
  { name, columns }: Table,
): AsyncGenerator<readonly Cells[]> {
  const types = Object.values(columns)
  const key = await primaryKeyOf(connection, name)
  const list = Object.entries(columns).map(([column, type]) => selected(column, type))
  const select = `SELECT ${[...list, ...key.map(quoted)].join(', ')} FROM ${quoted(name)}`
  try {
    let rowsRead = 0
    let last: readonly unknown[] | undefined
    for (;;) {
      const { where, values } = last ? after(key, last) : { where: '', values: [] }
      // Without a primary key, rows come in storage order.
      const page = key.length > 0 ? `ORDER BY ${key.map(quoted).join(', ')}` : ''
      const skip = key.length > 0 ? 0 : rowsRead
      const text = `${select} ${where} ${page} LIMIT ${part} OFFSET ${skip}`
      const rows = await connection.rows(text, values)
      if (rows.length > 0) yield rows.map((row) => types.map((type, at) => cellOf(row[at], type)))
      if (rows.length < part) break
      rowsRead += rows.length
      if (key.length > 0) last = rows.at(-1)?.slice(types.length)
    }
  } catch (error) {
    throw explainDamage(error)
  }
}

/** Returns the condition for the rows after the one with this key. */
function after(key: readonly string[], last: readonly unknown[]) {
  const either = key.map((column, at) => {
    const equal = key.slice(0, at).map((earlier) => `${quoted(earlier)} = ?`)
    return `(${[...equal, `${quoted(column)} > ?`].join(' AND ')})`
  })
  const values = key.flatMap((_, at) => last.slice(0, at + 1))
  return { where: `WHERE ${either.join(' OR ')}`, values }
}

/** Returns SQL for a column; a time is selected as text, since a Date would lose the microseconds. */
function selected(column: string, type: ColumnType): string {
  const name = quoted(column)
  return type === 'time' ? `DATE_FORMAT(${name}, '%Y-%m-%dT%H:%i:%s.%fZ')` : name
}

/** Returns a `DatabaseDamaged` for a corrupt page's or missing file's error; other errors unchanged. */
function explainDamage(error: unknown): unknown {
  return /CORRUPT|CRASHED|NOT_KEYFILE|TABLESPACE_(MISSING|DISCARDED)/.test(errorCode(error))
    ? new DatabaseDamaged([errorSentence(error)], error)
    : error
}
