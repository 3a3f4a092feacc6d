import { escapeControls } from '../../base/text/escape.ts'
import { DatabaseDamaged, type Cells, type Replacement, type Table } from '../../db/snapshot.ts'
import type { CountedTable, Manifest } from './manifest.ts'
import { readPast } from './read-past.ts'
import { readRows } from './rows.ts'

/** Writes the rows of a backup into an empty database. */
interface Refill {
  /** Tables, and columns as `table.column`, that the backup has but the database lacks. */
  readonly leftOut: readonly string[]
  fill(this: void, table: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Call once all rows are written; idempotent. Throws `DatabaseDamaged`. */
  check(this: void): Promise<void>
}

/** Throws if the backup lacks something that the database's tables need. */
export function refill(built: Replacement, manifest: Manifest): Refill {
  const columnsByTable = new Map(built.tables.map(({ name, columns }) => [name, columns]))
  const tables = new Map(manifest.tables.map((table) => [table.name, table]))
  for (const table of built.tables) refuseOther(table, tables.get(table.name), manifest)
  let checked: Promise<void> | undefined
  return {
    leftOut: manifest.tables.flatMap((table) => extraIn(table, columnsByTable.get(table.name))),
    async fill(name, content) {
      const table = tables.get(name)
      if (!table) throw new DatabaseDamaged([`It has rows of ${escapeControls(name)} too many.`])
      const rows = readRows(content, table)
      const columns = columnsByTable.get(name)
      if (columns) await built.put(...common(table, columns, rows))
      else await readPast(rows)
    },
    check: () => (checked ??= compare(built, manifest)),
  }
}

type Columns = Table['columns']

function refuseOther(
  { name, columns }: Table,
  archived: CountedTable | undefined,
  { version }: Manifest,
): void {
  const wrong = Object.entries(columns).find(([column, type]) => archived?.columns[column] !== type)
  if (archived && !wrong) return
  const missing = archived && wrong ? `column ${name}.${wrong[0]}` : `table ${name}`
  throw new Error(
    `The backup lacks the ${missing} as its migrations make it in this build: restore it with version ${escapeControls(version)}.`,
  )
}

function extraIn({ name, columns }: Table, existing: Columns | undefined): string[] {
  const extra = existing
    ? Object.keys(columns)
        .filter((column) => !Object.hasOwn(existing, column))
        .map((column) => `${name}.${column}`)
    : [name]
  return extra.map(escapeControls)
}

/** Reduces the table and its rows to the columns that the database has too. */
function common(
  table: Table,
  existing: Columns,
  rows: AsyncIterable<Cells[]>,
): [table: Table, rows: AsyncIterable<readonly Cells[]>] {
  const columns = Object.entries(table.columns)
  const shared = columns.filter(([column]) => Object.hasOwn(existing, column))
  if (shared.length === columns.length) return [table, rows]
  const positions = shared.map((column) => columns.indexOf(column))
  return [{ ...table, columns: Object.fromEntries(shared) }, picked(rows, positions)]
}

async function* picked(
  rows: AsyncIterable<Cells[]>,
  positions: readonly number[],
): AsyncGenerator<Cells[]> {
  for await (const batch of rows)
    yield batch.map((cells) => positions.map((position) => cells[position] ?? null))
}

async function compare(built: Replacement, { tables }: Manifest): Promise<void> {
  const counts = await built.check()
  const wrong = tables.find(({ name, rows }) => (counts[name] ?? rows) !== rows)
  if (wrong)
    throw new DatabaseDamaged([
      `Only ${counts[wrong.name]} of ${wrong.rows} rows of ${wrong.name} could be restored.`,
    ])
}
