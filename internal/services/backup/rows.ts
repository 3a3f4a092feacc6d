import { open, type FileHandle } from 'node:fs/promises'
import { escapeControls } from '../../base/text/escape.ts'
import {
  DatabaseDamaged,
  type Cell,
  type Cells,
  type ColumnType,
  type Table,
} from '../../db/snapshot.ts'

/**
 * The rows of a table in an archive: JSON Lines, UTF-8, one array a row in the order of the manifest's
 * columns. Bytes are base64; an integer that JSON cannot hold exactly is a string of its digits.
 */
type Json = number | string | boolean | null

/** Writes the rows to a new file that only its owner can read, and returns their number. */
export async function writeRows(
  path: string,
  rows: AsyncIterable<readonly Cells[]>,
  signal: AbortSignal,
): Promise<number> {
  const file = await open(path, 'wx', 0o600)
  try {
    return await writeAll(file, rows, signal)
  } finally {
    await file.close()
  }
}

// UTF-16 code units per write, so that the buffer stays small however many rows there are.
const part = 256 * 1024

async function writeAll(
  file: FileHandle,
  rows: AsyncIterable<readonly Cells[]>,
  signal: AbortSignal,
): Promise<number> {
  let count = 0
  let text = ''
  for await (const batch of rows) {
    signal.throwIfAborted()
    for (const cells of batch) text += `${JSON.stringify(cells.map(jsonOf))}\n`
    count += batch.length
    if (text.length < part) continue
    await file.writeFile(text)
    text = ''
  }
  await file.writeFile(text)
  return count
}

function jsonOf(cell: Cell): Json {
  if (typeof cell === 'bigint') return String(cell)
  if (typeof cell !== 'object' || cell === null) return cell
  return Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('base64')
}

/** Reads the rows of a table's file in batches. Throws `DatabaseDamaged` for a line that is no row of it. */
export async function* readRows(
  content: AsyncIterable<Uint8Array>,
  { name, columns }: Table,
): AsyncGenerator<Cells[]> {
  const cellOf = Object.values(columns).map((type) => cells[type])
  const damaged = () =>
    new DatabaseDamaged([`It has a line that is no row of ${escapeControls(name)}.`])
  for await (const lines of linesIn(content, damaged))
    yield lines.map((line) => {
      const row = parsed(line)
      if (row?.length !== cellOf.length) throw damaged()
      return cellOf.map((read, i) => {
        const cell = row[i] === null ? null : read(row[i])
        if (cell === undefined) throw damaged()
        return cell
      })
    })
}

const cells: Readonly<Record<ColumnType, (json: unknown) => Cell | undefined>> = {
  integer: (json) => (typeof json === 'string' ? big(json) : integer(json)),
  number: (json) => (typeof json === 'number' ? json : undefined),
  text: (json) => (typeof json === 'string' ? json : undefined),
  boolean: (json) => (typeof json === 'boolean' ? json : undefined),
  time: (json) => (typeof json === 'string' && time.test(json) ? json : undefined),
  bytes: (json) => (typeof json === 'string' ? Buffer.from(json, 'base64') : undefined),
}

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3,9}Z$/

function integer(json: unknown): number | undefined {
  return Number.isSafeInteger(json) ? (json as number) : undefined
}

/** Reads an integer of 64 bits: no database takes a larger one. */
function big(digits: string): bigint | undefined {
  if (!/^-?\d{16,19}$/.test(digits)) return undefined
  const value = BigInt(digits)
  return BigInt.asIntN(64, value) === value ? value : undefined
}

function parsed(line: string): unknown[] | undefined {
  try {
    const row: unknown = JSON.parse(line)
    return Array.isArray(row) ? row : undefined
  } catch {
    return undefined
  }
}

// The most bytes of a row. The service's own have some thousand.
const longest = 64 * 1024 * 1024
const newline = 10

/** Splits the content into lines: yields those that end in each chunk. */
async function* linesIn(
  content: AsyncIterable<Uint8Array>,
  damaged: () => Error,
): AsyncGenerator<string[]> {
  let incomplete: Uint8Array[] = []
  let length = 0
  for await (const chunk of content) {
    const end = chunk.lastIndexOf(newline)
    const last = chunk.subarray(end + 1)
    if (end >= 0) {
      yield Buffer.concat([...incomplete, chunk.subarray(0, end)])
        .toString()
        .split('\n')
      incomplete = []
      length = 0
    }
    incomplete.push(last)
    length += last.length
    if (length > longest) throw damaged()
  }
  if (length > 0) throw damaged()
}

/** Counts the lines that pass through. */
export class LineCount {
  #count = 0

  async *through(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1))
        this.#count++
      yield chunk
    }
  }

  get count(): number {
    return this.#count
  }
}
