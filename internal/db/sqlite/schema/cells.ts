import type { Cell, ColumnType, Table } from '../../snapshot.ts'
import { wrongCell } from './wrong-cell.ts'

/** A value as SQLite returns it, with integers as `bigint`, and as SQLite accepts it. */
export type Stored = bigint | number | string | Uint8Array | null

/** Converts a value to a cell by its column's type; undefined for a value that the column cannot hold. */
const readers: Readonly<Record<ColumnType, (stored: Stored) => Cell | undefined>> = {
  integer: (stored) => (typeof stored === 'bigint' ? exact(stored) : undefined),
  number: (stored) => (typeof stored === 'number' && Number.isFinite(stored) ? stored : undefined),
  text: (stored) => (typeof stored === 'string' ? stored : undefined),
  boolean: (stored) => (stored === 0n || stored === 1n ? stored === 1n : undefined),
  time: (stored) => (typeof stored === 'string' && isTime(stored) ? isoOf(stored) : undefined),
  bytes: (stored) => (stored instanceof Uint8Array ? stored : undefined),
}

/**
 * Returns a function that converts a row's values to cells. It throws `DatabaseDamaged` for a value that its column
 * cannot hold.
 */
export function rowReader({ name, columns }: Table): (stored: readonly Stored[]) => Cell[] {
  const named = Object.entries(columns)
  const converters = named.map(([, type]) => readers[type])
  const idAt = named.findIndex(([column]) => column === 'id')
  return (stored) =>
    stored.map((value, i) => {
      if (value === null) return null
      const cell = converters[i]?.(value)
      if (cell !== undefined) return cell
      const [column = '', type = 'text'] = named[i] ?? []
      throw wrongCell({ table: name, column, type, id: stored[idAt] })
    })
}

/** Returns a function that converts a row's cells to values. */
export function rowWriter({ columns }: Table): (cells: readonly Cell[]) => Stored[] {
  const areTimes = Object.values(columns).map((type) => type === 'time')
  return (cells) =>
    cells.map((cell, i) => {
      if (typeof cell === 'boolean') return cell ? 1 : 0
      return areTimes[i] && typeof cell === 'string' ? textOf(cell) : cell
    })
}

function exact(stored: bigint): number | bigint {
  const number = Number(stored)
  return Number.isSafeInteger(number) ? number : stored
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
