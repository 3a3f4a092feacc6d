import { parentsFirst } from '../../parents-first.ts'
import type { ColumnType, Table } from '../../snapshot.ts'
import type { Connection } from '../connection.ts'
import { tableNames } from './tables.ts'

/** The type of a column, by the type name that migrations declare. */
const types: Readonly<Record<string, ColumnType>> = {
  integer: 'integer',
  real: 'number',
  text: 'text',
  boolean: 'boolean',
  datetime: 'time',
  blob: 'bytes',
}

/** undefined for any other declaration; `declared` is null for an expression. */
export function columnType(declared: string | null): ColumnType | undefined {
  return types[declared?.toLowerCase() ?? '']
}

/** Returns the tables of a snapshot; referenced tables come before those that refer to them. */
export function tablesOf(connection: Connection): Table[] {
  const names = tableNames(connection).filter((name) => name !== 'migrations')
  const lastIds = lastIdsOf(connection)
  const parents = connection.prepare('SELECT "table" FROM pragma_foreign_key_list(?)').pluck()
  return parentsFirst(names, (name) => parents.all(name) as string[]).map((name) => ({
    name,
    columns: columnsOf(connection, name),
    lastId: lastIds.get(name) ?? 0,
  }))
}

function columnsOf(connection: Connection, table: string): Table['columns'] {
  const sql = 'SELECT name, type FROM pragma_table_info(?) ORDER BY cid'
  const rows = connection.prepare(sql).all(table) as { name: string; type: string }[]
  return Object.fromEntries(
    rows.map(({ name, type: declared }) => {
      const type = columnType(declared)
      if (type) return [name, type]
      throw new Error(
        `The column ${name} of ${table} is declared as "${declared}": make it one of ${Object.keys(types).join(', ')}.`,
      )
    }),
  )
}

/** Returns the highest ID that each table has assigned, by table name. */
export function lastIdsOf(connection: Connection): ReadonlyMap<string, number> {
  const sql = `SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'`
  if (connection.prepare(sql).get() === undefined) return new Map()
  const rows = connection.prepare('SELECT name, seq FROM sqlite_sequence').raw().all()
  return new Map(rows as [string, number][])
}
