import { parentsFirst } from '../parents-first.ts'
import type { ColumnType, Table } from '../snapshot.ts'
import type { ForeignKey } from '../server/soundness.ts'
import type { Connection } from './connection.ts'
import { tableNames } from './tables.ts'

/** By how PostgreSQL calls what migrations declare. */
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

/** The one that is asked, by its number: a cast would read its name as it is written in a statement. */
const schema = '(SELECT oid FROM pg_namespace WHERE nspname = current_schema())'

/** As it is declared, too. */
export interface DeclaredKey extends ForeignKey {
  readonly definition: string
}

interface Column {
  readonly table: string
  readonly name: string
  readonly declared: string
  /** Where its numbers come from, if they do. */
  readonly sequence: string | null
  /** Whether that may be read. */
  readonly isRead: boolean | null
  /** The last number that its sequence gave. */
  readonly lastId: number | null
}

/** The tables of a snapshot, those that others refer to before them. */
export async function tablesOf(connection: Connection): Promise<Table[]> {
  const names = (await tableNames(connection)).filter((name) => name !== 'migrations')
  const keys = await foreignKeysIn(connection)
  const columns = Map.groupBy(await columnsIn(connection), ({ table }) => table)
  const parentsOf = (name: string) => keys.filter((k) => k.child === name).map((k) => k.parent)
  return parentsFirst(names, parentsOf).map((name) => {
    const own = columns.get(name) ?? []
    return {
      name,
      columns: Object.fromEntries(own.map((column) => [column.name, typeOf(column)])),
      lastId: Math.max(0, ...own.map(({ lastId }) => lastId ?? 0)),
    }
  })
}

export async function foreignKeysIn(connection: Connection): Promise<DeclaredKey[]> {
  const found = await connection.ask<DeclaredKey & { columns: string; parentColumns: string }>(`
    SELECT k.conname AS name, c.relname AS child, p.relname AS parent,
      pg_get_constraintdef(k.oid) AS definition,
      ${namesOf('k.conrelid', 'k.conkey')} AS columns,
      ${namesOf('k.confrelid', 'k.confkey')} AS parent_columns
    FROM pg_constraint k
    JOIN pg_class c ON c.oid = k.conrelid
    JOIN pg_class p ON p.oid = k.confrelid
    WHERE k.contype = 'f' AND c.relnamespace = ${schema}
    ORDER BY k.conname`)
  return found.map((key) => ({
    ...key,
    columns: JSON.parse(key.columns) as string[],
    parentColumns: JSON.parse(key.parentColumns) as string[],
  }))
}

/** Of the columns of these numbers, as JSON. */
function namesOf(table: string, numbers: string): string {
  return `(
    SELECT json_agg(a.attname ORDER BY n.at)
    FROM unnest(${numbers}) WITH ORDINALITY AS n (number, at)
    JOIN pg_attribute a ON a.attrelid = ${table} AND a.attnum = n.number)`
}

async function columnsIn(connection: Connection): Promise<Column[]> {
  const columns = await connection.ask<Column>(`
    SELECT c.relname AS table, a.attname AS name, format_type(a.atttypid, a.atttypmod) AS declared,
      s.sequence, has_sequence_privilege(s.sequence, 'SELECT, USAGE') AS is_read,
      pg_sequence_last_value(s.sequence::regclass) AS last_id
    FROM pg_attribute a
    JOIN pg_class c ON c.oid = a.attrelid
    CROSS JOIN LATERAL pg_get_serial_sequence(quote_ident(c.relname), a.attname) AS s (sequence)
    WHERE c.relnamespace = ${schema} AND c.relkind = 'r'
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    ORDER BY c.relname, a.attnum`)
  // Without it the last number is none, and IDs that were given are given again after a restore.
  const unread = columns.find(({ isRead }) => isRead === false)
  if (unread)
    throw new Error(
      `The sequence ${unread.sequence} may not be read: have its owner GRANT SELECT ON ALL SEQUENCES IN SCHEMA to the user of DB_URL.`,
    )
  return Array.from(columns)
}

function typeOf({ table, name, declared }: Column): ColumnType {
  const type = types[declared]
  if (type) return type
  throw new Error(
    `The column ${name} of ${table} is declared as "${declared}": make it one of ${Object.keys(types).join(', ')}.`,
  )
}
