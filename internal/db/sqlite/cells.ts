import { DatabaseDamaged, type Cell, type ColumnType, type Table } from '../snapshot.ts'

/** A value as SQLite returns it, with integers as `bigint`, and as SQLite accepts it. */
export type Kept = bigint | number | string | Uint8Array | null

/** Converts a value to a cell by its column's type; undefined for a value that the column cannot hold. */
const read: Readonly<Record<ColumnType, (kept: Kept) => Cell | undefined>> = {
  integer: (kept) => (typeof kept === 'bigint' ? exact(kept) : undefined),
  number: (kept) => (typeof kept === 'number' && Number.isFinite(kept) ? kept : undefined),
  text: (kept) => (typeof kept === 'string' ? kept : undefined),
  boolean: (kept) => (kept === 0n || kept === 1n ? kept === 1n : undefined),
  time: (kept) => (typeof kept === 'string' && isTime(kept) ? isoOf(kept) : undefined),
  bytes: (kept) => (kept instanceof Uint8Array ? kept : undefined),
}

/**
 * Returns a function that converts a row's values to cells. It throws `DatabaseDamaged` for a value that its column
 * cannot hold.
 */
export function rowReader({ name, columns }: Table): (kept: readonly Kept[]) => Cell[] {
  const named = Object.entries(columns)
  const readers = named.map(([, type]) => read[type])
  return (kept) =>
    kept.map((value, i) => {
      if (value === null) return null
      const cell = readers[i]?.(value)
      if (cell !== undefined) return cell
      const [column, type] = named[i] ?? []
      throw new DatabaseDamaged([`In a row of ${name} ${column} is no ${type}.`])
    })
}

/** Returns a function that converts a row's cells to values. */
export function rowWriter({ columns }: Table): (cells: readonly Cell[]) => Kept[] {
  const areTimes = Object.values(columns).map((type) => type === 'time')
  return (cells) =>
    cells.map((cell, i) => {
      if (typeof cell === 'boolean') return cell ? 1 : 0
      return areTimes[i] && typeof cell === 'string' ? textOf(cell) : cell
    })
}

function exact(kept: bigint): number | bigint {
  const number = Number(kept)
  return Number.isSafeInteger(number) ? number : kept
}

/** Whether a text has the format that `textOf` of times.ts writes. */
function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/.test(text)
}

function isoOf(text: string): string {
  return `${text.slice(0, 10)}T${text.slice(11)}Z`
}

/**
 * Drops digits beyond milliseconds, which a snapshot of another database may have: times are stored here without them.
 */
function textOf(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 23)}`
}
