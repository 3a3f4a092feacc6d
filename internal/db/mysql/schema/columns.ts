import { parentsFirst } from '../../parents-first.ts'
import type { ColumnType, Table } from '../../snapshot.ts'
import type { ForeignKey } from '../../server/soundness.ts'
import type { Connection } from '../connection.ts'
import { tableNames } from './tables.ts'

/** The type of a column, by MySQL's name for the declared type. */
const types: Readonly<Record<string, ColumnType>> = {
  'tinyint(1)': 'boolean',
  tinyint: 'integer',
  smallint: 'integer',
  int: 'integer',
  bigint: 'integer',
  double: 'number',
  varchar: 'text',
  tinytext: 'text',
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  datetime: 'time',
  varbinary: 'bytes',
  tinyblob: 'bytes',
  blob: 'bytes',
  mediumblob: 'bytes',
  longblob: 'bytes',
}

interface Column {
  readonly table: string
  readonly name: string
  readonly declared: string
  readonly kind: string
}

/** Returns the tables of a snapshot; referenced tables come first. */
export async function tablesOf(connection: Connection): Promise<Table[]> {
  const names = (await tableNames(connection)).filter((name) => name !== 'migrations')
  const keys = await foreignKeysIn(connection)
  const columns = Map.groupBy(await columnsIn(connection), ({ table }) => table)
  const lastIds = await lastIdsIn(connection)
  const parentsOf = (name: string) => keys.filter((k) => k.child === name).map((k) => k.parent)
  return parentsFirst(names, parentsOf).map((name) => ({
    name,
    columns: Object.fromEntries(
      (columns.get(name) ?? []).map((column) => [column.name, typeOf(column)]),
    ),
    lastId: lastIds.get(name) ?? 0,
  }))
}

interface KeyColumn {
  readonly name: string
  readonly child: string
  readonly parent: string
  readonly column: string
  readonly parentColumn: string
}

export async function foreignKeysIn(connection: Connection): Promise<ForeignKey[]> {
  const rows = await connection.ask<KeyColumn>(`
    SELECT constraint_name AS name, table_name AS child, referenced_table_name AS parent,
      column_name AS "column", referenced_column_name AS parent_column
    FROM information_schema.key_column_usage
    WHERE table_schema = DATABASE() AND referenced_table_name IS NOT NULL
    ORDER BY constraint_name, ordinal_position`)
  return [...Map.groupBy(rows, ({ name }) => name)].flatMap(([name, columns]) => {
    const [{ child, parent } = { child: '', parent: '' }] = columns
    return {
      name,
      child,
      parent,
      columns: columns.map(({ column }) => column),
      parentColumns: columns.map(({ parentColumn }) => parentColumn),
    }
  })
}

async function columnsIn(connection: Connection): Promise<Column[]> {
  const rows = await connection.ask<Column>(`
    SELECT table_name AS "table", column_name AS name, column_type AS declared, data_type AS kind
    FROM information_schema.columns
    WHERE table_schema = DATABASE() AND generation_expression = ''
    ORDER BY table_name, ordinal_position`)
  return Array.from(rows)
}

/** Returns the highest ID that each table has assigned. */
async function lastIdsIn(connection: Connection): Promise<Map<string, number>> {
  const rows = await connection.ask<{ name: string; lastId: number }>(`
    SELECT table_name AS name, auto_increment - 1 AS last_id FROM information_schema.tables
    WHERE table_schema = DATABASE() AND auto_increment IS NOT NULL`)
  return new Map(rows.map(({ name, lastId }) => [name, lastId]))
}

function typeOf({ table, name, declared, kind }: Column): ColumnType {
  const type = types[declared] ?? types[kind]
  if (type) return type
  throw new Error(
    `The column ${name} of ${table} is declared as "${declared}": make it one of ${Object.keys(types).join(', ')}.`,
  )
}

/** Returns the columns of the primary key in order; none if there is no primary key. */
export async function primaryKeyOf(connection: Connection, table: string): Promise<string[]> {
  const rows = await connection.ask<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.key_column_usage
    WHERE table_schema = DATABASE() AND table_name = ? AND constraint_name = 'PRIMARY'
    ORDER BY ordinal_position`,
    [table],
  )
  return rows.map(({ name }) => name)
}
