import { errorCode } from '../../../base/error-code.ts'
import { errorSentence } from '../../../base/error-message.ts'
import {
  DatabaseDamaged,
  type LockedDatabase,
  type Replacement,
  type Table,
} from '../../snapshot.ts'
import { rowWriter } from '../schema/cells.ts'
import { openToFill, type Connection } from '../connection.ts'
import { refuseUnsound } from './damage.ts'
import { migrate } from '../migrations.ts'
import { orClosed } from '../connection/or-closed.ts'
import { quoted } from '../../statement.ts'
import { tablesOf } from '../schema/columns.ts'
import { photosOf, tableNames } from '../schema/tables.ts'
import { textOf } from '../connection/times.ts'

/** A new database in a file of its own, until it is closed. */
export type NewFile = Omit<Replacement, 'putInPlace' | 'undone'> & { close(): void }

/**
 * Creates the file by its migrations, and deletes the rows they inserted. Everything after the migrations is one
 * transaction, which `check` commits.
 */
export async function newFile(
  path: string,
  migrations: Parameters<LockedDatabase['build']>[0],
): Promise<NewFile> {
  await migrate({ file: path }, migrations, new Date())
  const connection = openToFill(path)
  return orClosed(connection, () => emptied(connection, migrations))
}

function emptied(
  connection: Connection,
  migrations: Parameters<LockedDatabase['build']>[0],
): NewFile {
  connection.exec('BEGIN')
  const ran = connection.prepare('UPDATE migrations SET ran_at = ? WHERE name = ?')
  for (const { name, ranAt } of migrations) ran.run(textOf(ranAt), name)
  const triggers = withoutTriggers(connection)
  const empty = tablesOf(connection)
  for (const { name } of empty) connection.exec(`DELETE FROM ${quoted(name)}`)
  return {
    tables: empty,
    put: (table, rows) => put(connection, table, rows),
    async check() {
      for (const sql of triggers) connection.exec(sql)
      connection.exec('COMMIT')
      refuseUnsound(connection)
      return countsOf(connection)
    },
    photos: async () => photosOf(connection),
    close: () => connection.close(),
  }
}

/** Drops all triggers, which would treat restored rows as new ones. Returns the SQL that recreates them. */
function withoutTriggers(connection: Connection): string[] {
  const rows = connection
    .prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY rowid")
    .all() as { name: string; sql: string }[]
  for (const { name } of rows) connection.exec(`DROP TRIGGER ${quoted(name)}`)
  return rows.map(({ sql }) => sql)
}

async function put(
  connection: Connection,
  table: Table,
  rows: Parameters<Replacement['put']>[1],
): Promise<void> {
  const names = Object.keys(table.columns)
  const sql = `INSERT INTO ${quoted(table.name)} (${names.map(quoted).join(', ')}) VALUES (${names.map(() => '?').join(', ')})`
  const insert = connection.prepare(sql)
  const writeRow = rowWriter(table)
  for await (const batch of rows)
    try {
      for (const cells of batch) insert.run(writeRow(cells))
    } catch (error) {
      if (!errorCode(error).startsWith('SQLITE_CONSTRAINT')) throw error
      const reason = errorSentence(error)
      throw new DatabaseDamaged([`A row of ${table.name} cannot be kept: ${reason}`], error)
    }
  if (table.lastId > 0) goOnAfter(connection, table)
}

/** Makes new IDs start after `lastId`; if a row has a higher ID, SQLite starts after that by itself. */
function goOnAfter(connection: Connection, { name, lastId }: Table): void {
  connection.prepare('DELETE FROM sqlite_sequence WHERE name = ?').run(name)
  connection.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(name, lastId)
}

function countsOf(connection: Connection): Record<string, number> {
  const count = (table: string) =>
    connection
      .prepare(`SELECT count(*) FROM ${quoted(table)}`)
      .pluck()
      .get() as number
  return Object.fromEntries(
    tableNames(connection)
      .filter((name) => name !== 'migrations')
      .map((name) => [name, count(name)]),
  )
}
