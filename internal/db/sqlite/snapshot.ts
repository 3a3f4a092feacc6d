import {
  DatabaseDamaged,
  type Cells,
  type Snapshot,
  type Snapshots,
  type Table,
} from '../snapshot.ts'
import { errorSentence } from '../../base/error-message.ts'
import { fileOf } from './address.ts'
import { rowReader, type Stored } from './schema/cells.ts'
import { openWriter, type Connection } from './connection.ts'
import { isDamage, refuseUnsound } from './file/damage.ts'
import { holdFile } from './file/held-file.ts'
import { quoted } from '../statement.ts'
import { tablesOf } from './schema/columns.ts'
import { photosOf, tableNames } from './schema/tables.ts'
import { wrongCell } from './schema/wrong-cell.ts'
import { timeIn } from './connection/times.ts'
import { unwritable } from './file/unwritable.ts'

// Milliseconds to wait for a locked file, as long as `openDatabase` waits.
const wait = 5000

export const snapshots: Snapshots = {
  async take(database) {
    const file = fileOf(database)
    const connection = await openWriter(file, wait).catch((error: unknown) => {
      throw withCopyAdvice(error, file)
    })
    try {
      // All reads of this transaction see the moment of the first one. In WAL mode they block no writer.
      connection.exec('BEGIN')
      return snapshotOf(connection)
    } catch (error) {
      connection.close()
      throw explainDamage(error)
    }
  },

  hold: holdFile,
}

/**
 * SQLite reads a database with a log only where it may write beside it. A disk that fails should be backed up before
 * anybody writes to it again.
 */
function withCopyAdvice(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || !unwritable(file)?.isReadOnly) return error
  const advice = `To back it up before that, stop the server, copy ${file} and, if it is there, ${file}-wal to another disk, and run this with DB_PATH set to the copy.`
  return new Error(`${error.message} ${advice}`, { cause: error })
}

function snapshotOf(connection: Connection): Snapshot {
  refuseUnsound(connection)
  return {
    migrations: migrationsOf(connection),
    tables: tablesOf(connection),
    rows: (table) => rowsOf(connection, table),
    photos: async () => photosOf(connection),
    close: async () => void connection.close(),
  }
}

// Rows per batch, read in a millisecond or two: the rest of the process can run between batches.
const part = 500

async function* rowsOf(connection: Connection, table: Table): AsyncGenerator<Cells[]> {
  const names = Object.keys(table.columns).map(quoted)
  const sql = `SELECT ${names.join(', ')} FROM ${quoted(table.name)}`
  const readRow = rowReader(table)
  try {
    let rows: Cells[] = []
    // Keeps integers exact that a number cannot represent.
    for (const row of connection.prepare(sql).raw().safeIntegers().iterate()) {
      rows.push(readRow(row as Stored[]))
      if (rows.length < part) continue
      yield rows
      rows = []
    }
    if (rows.length > 0) yield rows
  } catch (error) {
    throw explainDamage(error)
  }
}

function migrationsOf(connection: Connection): Snapshot['migrations'] {
  if (!tableNames(connection).includes('migrations')) return []
  const sql = 'SELECT name, ran_at AS ranAt FROM migrations ORDER BY name'
  const ran = connection.prepare(sql).all() as { name: string; ranAt: string }[]
  return ran.map(({ name, ranAt: stored }) => {
    const ranAt = timeIn(stored)
    if (!ranAt) throw wrongCell({ table: 'migrations', column: 'ran_at', type: 'time' })
    return { name, ranAt }
  })
}

function explainDamage(error: unknown): unknown {
  return isDamage(error) ? new DatabaseDamaged([errorSentence(error)], error) : error
}
