import { DatabaseDamaged } from '../snapshot.ts'
import { quoted } from '../statement.ts'
import type { Queryable } from './queryable.ts'

/** A reference from one table to another. */
export interface ForeignKey {
  readonly name: string
  readonly child: string
  readonly parent: string
  /** The child's columns and the parent's columns that they refer to, in the same order. */
  readonly columns: readonly string[]
  readonly parentColumns: readonly string[]
}

/** The parts of a database. */
interface Parts {
  readonly tables: readonly string[]
  readonly keys: readonly ForeignKey[]
}

/** Throws `DatabaseDamaged` for a database with rows that refer to missing rows, or one that is not the app's. */
export async function refuseUnsound(connection: Queryable, { tables, keys }: Parts): Promise<void> {
  const faults = await orphansIn(connection, keys)
  if (faults.length === 0 && !tables.includes('users')) faults.push('It has no table of accounts.')
  if (faults.length > 0) throw new DatabaseDamaged(faults)
}

/**
 * Returns a sentence for each foreign key with a row that refers to a missing one. The server prevents such rows,
 * unless somebody turned that off.
 */
export async function orphansIn(
  connection: Queryable,
  keys: readonly ForeignKey[],
): Promise<string[]> {
  const faults: string[] = []
  for (const { child, parent, columns, parentColumns } of keys) {
    const pairs = columns.map((column, at) => [column, parentColumns[at] ?? ''] as const)
    const rows = await connection.ask(`
      SELECT 1 FROM ${quoted(child)} AS c
      WHERE ${columns.map((column) => `c.${quoted(column)} IS NOT NULL`).join(' AND ')}
        AND NOT EXISTS (
          SELECT 1 FROM ${quoted(parent)} AS p
          WHERE ${pairs.map(([own, other]) => `p.${quoted(other)} = c.${quoted(own)}`).join(' AND ')})
      LIMIT 1`)
    if (rows.length > 0)
      faults.push(`A row of ${child} belongs to a row of ${parent} that is gone.`)
  }
  return faults
}
