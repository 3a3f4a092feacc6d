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
  const made = new Map(built.tables.map(({ name, columns }) => [name, columns]))
  const tables = new Map(manifest.tables.map((table) => [table.name, table]))
  for (const table of built.tables) refuseOther(table, tables.get(table.name), manifest)
  let checked: Promise<void> | undefined
  return {
    leftOut: manifest.tables.flatMap((table) => extraIn(table, made.get(table.name))),
    async fill(name, content) {
      const table = tables.get(name)
      if (!table) throw new DatabaseDamaged([`It has rows of ${escapeControls(name)} too many.`])
      const rows = readRows(content, table)
      const columns = made.get(name)
      if (columns) await built.put(...common(table, columns, rows))
      else await readPast(rows)
    },
    check: () => (checked ??= compare(built, manifest)),
  }
}

type Columns = Table['columns']

function refuseOther(
  { name, columns }: Table,
  kept: CountedTable | undefined,
  { version }: Manifest,
): void {
  const wrong = Object.entries(columns).find(([column, type]) => kept?.columns[column] !== type)
  if (kept && !wrong) return
  const missing = kept && wrong ? `column ${name}.${wrong[0]}` : `table ${name}`
  throw new Error(
    `The backup lacks the ${missing} as its migrations make it in this build: restore it with version ${escapeControls(version)}.`,
  )
}

function extraIn({ name, columns }: Table, made: Columns | undefined): string[] {
  const extra = made
    ? Object.keys(columns)
        .filter((column) => !Object.hasOwn(made, column))
        .map((column) => `${name}.${column}`)
    : [name]
  return extra.map(escapeControls)
}

/** Reduces the table and its rows to the columns that the database has too. */
function common(
  table: Table,
  made: Columns,
  rows: AsyncIterable<Cells[]>,
): [table: Table, rows: AsyncIterable<readonly Cells[]>] {
  const columns = Object.entries(table.columns)
  const both = columns.filter(([column]) => Object.hasOwn(made, column))
  if (both.length === columns.length) return [table, rows]
  const places = both.map((column) => columns.indexOf(column))
  return [{ ...table, columns: Object.fromEntries(both) }, picked(rows, places)]
}

async function* picked(
  rows: AsyncIterable<Cells[]>,
  places: readonly number[],
): AsyncGenerator<Cells[]> {
  for await (const batch of rows)
    yield batch.map((cells) => places.map((place) => cells[place] ?? null))
}

async function compare(built: Replacement, { tables }: Manifest): Promise<void> {
  const counts = await built.check()
  const wrong = tables.find(({ name, rows }) => (counts[name] ?? rows) !== rows)
  if (wrong)
    throw new DatabaseDamaged([
      `Only ${counts[wrong.name]} of ${wrong.rows} rows of ${wrong.name} could be restored.`,
    ])
}
