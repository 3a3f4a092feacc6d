import { DatabaseDamaged, type ColumnType } from '../../snapshot.ts'

/** A cell that its column cannot hold: SQLite itself stores a value of any type in any column. */
interface WrongCell {
  readonly table: string
  readonly column: string
  readonly type: ColumnType
  /** The ID of its row, if it has one that is known. */
  readonly id?: unknown
}

/** Returns the error that names a cell which the program never writes. */
export function wrongCell({ table, column, type, id }: WrongCell): DatabaseDamaged {
  const isKnown = typeof id === 'number' || typeof id === 'bigint'
  const row = isKnown ? `the row of ${table} with the ID ${id}` : `a row of ${table}`
  return new DatabaseDamaged([`In ${row} ${column} is no ${type}.`])
}
