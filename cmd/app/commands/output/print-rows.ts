import { escapeControls } from '../../../../internal/base/text/escape.ts'
import { throwIfUnwritten } from './standard-output.ts'
import { drawTable } from './table.ts'

/** How a command prints a list: as a table, or as JSON. */
export interface Rows<Row> {
  readonly json: boolean
  readonly head: readonly string[]
  readonly cellsOf: (row: Row) => readonly string[]
  /** What JSON has of a row. */
  readonly jsonOf: (row: Row) => object
  /** The sentence in place of an empty table. */
  readonly none: string
  /** How many rows to print at most. Default: all. */
  readonly most?: number
}

/**
 * Prints a list batch by batch, so that a million rows are never in memory at once, and stops when its reader
 * does. Returns false if some rows were left out. Throws if standard output cannot be written.
 */
export async function printRows<Row>(
  batches: AsyncIterable<readonly Row[]>,
  rows: Rows<Row>,
): Promise<boolean> {
  const list = rows.json ? jsonList(rows) : tableList(rows)
  let writeError: Error | undefined
  process.stdout.once('error', (error) => (writeError = error))
  let left = rows.most ?? Infinity
  let isComplete = true
  for await (const batch of batches) {
    list.add(batch.slice(0, left))
    isComplete = batch.length <= left
    left -= batch.length
    await flushOutput()
    if (!isComplete || writeError || process.stdout.destroyed) break
  }
  list.end()
  await flushOutput()
  throwIfUnwritten('The list', writeError)
  return isComplete
}

/** Resolves once everything printed so far is written, or standard output has failed. */
function flushOutput(): Promise<void> {
  return new Promise((resolve) => process.stdout.write('', () => resolve()))
}

interface List<Row> {
  add(batch: readonly Row[]): void
  end(): void
}

/** Prints an array with one line per row. */
function jsonList<Row>({ jsonOf }: Rows<Row>): List<Row> {
  let hasBegun = false
  return {
    add(batch) {
      if (batch.length === 0) return
      const lines = batch.map((row) => escapeControls(JSON.stringify(jsonOf(row))))
      console.log(`${hasBegun ? ',' : '['}${lines.join('\n,')}`)
      hasBegun = true
    },
    end: () => console.log(hasBegun ? ']' : '[]'),
  }
}

function tableList<Row>({ head, cellsOf, none }: Rows<Row>): List<Row> {
  const widths: number[] = []
  let hasBegun = false
  return {
    add(batch) {
      if (batch.length === 0) return
      const rows = batch.map((row) => cellsOf(row))
      const lines = drawTable(head, rows, widths)
      console.log(lines.slice(hasBegun ? 1 : 0).join('\n'))
      hasBegun = true
    },
    end: () => (hasBegun ? undefined : console.log(none)),
  }
}
