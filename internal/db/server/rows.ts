import type { Cell, ColumnType, Snapshot, Table } from '../snapshot.ts'
import { rowOf } from './answer.ts'
import { quoted } from '../statement.ts'
import type { Queryable } from './queryable.ts'

/** The keys of the photos that accounts have. */
export async function photosIn(connection: Queryable): Promise<string[]> {
  const found = await connection.ask<{ photo: string }>(
    'SELECT photo FROM users WHERE photo IS NOT NULL ORDER BY id',
  )
  return found.map(({ photo }) => photo)
}

/** How many rows each table has. */
export async function countsOf(
  connection: Queryable,
  tables: readonly Table[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const counted = rowOf(
      await connection.ask<{ count: number }>(`SELECT count(*) AS count FROM ${quoted(name)}`),
    )
    counts[name] = counted.count
  }
  return counts
}

/** The migrations on record. The table of these has to be there. */
export async function migrationsIn(connection: Queryable): Promise<Snapshot['migrations']> {
  const ran = await connection.ask<{ name: string; ranAt: Date }>(
    'SELECT name, ran_at FROM migrations ORDER BY name',
  )
  return Array.from(ran)
}

/** A value of a row as a snapshot has it. A time keeps its microseconds, unless it has milliseconds alone. */
export function cellOf(value: unknown, type: ColumnType | undefined): Cell {
  return type === 'time' && typeof value === 'string'
    ? value.replace(/000Z$/, 'Z')
    : (value as Cell)
}
