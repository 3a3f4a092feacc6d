import { parentsFirst } from '../../parents-first.ts'
import type { ColumnType, Table } from '../../snapshot.ts'
import type { ForeignKey } from '../../server/soundness.ts'
import type { Connection } from '../connection.ts'
import { unreadSequences } from './sequences.ts'
import { tableNames } from './tables.ts'

/** The type of a column, by PostgreSQL's name for the declared type. */
const types: Readonly<Record<string, ColumnType>> = {
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  real: 'number',
  'double precision': 'number',
  text: 'text',
  boolean: 'boolean',
  'timestamp with time zone': 'time',
  bytea: 'bytes',
}

/** The current schema's OID. A cast to regnamespace would parse the name as SQL, and lose its capitals. */
const schema = '(SELECT oid FROM pg_namespace WHERE nspname = current_schema())'

/** A foreign key, with the SQL that declares it. */
export interface DeclaredKey extends ForeignKey {
  readonly definition: string
}

interface Column {
  readonly table: string
  readonly name: string
  readonly declared: string
  /** The last number of the column's sequence, if it has one. */
  readonly lastId: number | null
}

/** Returns the tables of a snapshot; referenced tables come first. */
export async function tablesOf(connection: Connection): Promise<Table[]> {
  const names = (await tableNames(connection)).filter((name) => name !== 'migrations')
  const keys = await foreignKeysIn(connection)
  const columns = Map.groupBy(await columnsIn(connection), ({ table }) => table)
  const parentsOf = (name: string) => keys.filter((k) => k.child === name).map((k) => k.parent)
  return parentsFirst(names, parentsOf).map((name) => {
    const keyColumns = columns.get(name) ?? []
    return {
      name,
      columns: Object.fromEntries(keyColumns.map((column) => [column.name, typeOf(column)])),
      lastId: Math.max(0, ...keyColumns.map(({ lastId }) => lastId ?? 0)),
    }
  })
}

export async function foreignKeysIn(connection: Connection): Promise<DeclaredKey[]> {
  const rows = await connection.ask<DeclaredKey & { columns: string; parentColumns: string }>(`
    SELECT k.conname AS name, c.relname AS child, p.relname AS parent,
      pg_get_constraintdef(k.oid) AS definition,
      ${namesOf('k.conrelid', 'k.conkey')} AS columns,
      ${namesOf('k.confrelid', 'k.confkey')} AS parent_columns
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid
    JOIN pg_class p ON p.oid = k.confrelid
    WHERE k.contype = 'f' AND c.relnamespace = ${schema}
    ORDER BY k.conname`)
  return rows.map((key) => ({
    ...key,
    columns: JSON.parse(key.columns) as string[],
    parentColumns: JSON.parse(key.parentColumns) as string[],
  }))
}

/** Returns SQL for the names of the columns with these numbers, as JSON. */
function namesOf(table: string, numbers: string): string {
  return `(
    SELECT json_agg(a.attname ORDER BY n.at)
    FROM unnest(${numbers}) WITH ORDINALITY AS n (number, at)
    JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = n.number)`
}

async function columnsIn(connection: Connection): Promise<Column[]> {
  const unread = await unreadSequences(connection)
  if (unread)
    throw new Error(
      `${unread.finding}, so there is no backup: have their owner run ${unread.grant}.`,
    )
  const columns = await connection.ask<Column>(`
    SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS declared,
      pg_sequence_last_value(s.sequence::regclass) AS last_id
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid
    CROSS JOIN LATERAL pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS s (sequence)
    WHERE c.relnamespace = ${schema} AND c.relkind = 'r'
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    ORDER BY c.relname, a.attnum`)
  return Array.from(columns)
}

function typeOf({ table, name, declared }: Column): ColumnType {
  const type = types[declared]
  if (type) return type
  throw new Error(
    `The column ${name} of ${table} is declared as "${declared}": make it one of ${Object.keys(types).join(', ')}.`,
  )
}
