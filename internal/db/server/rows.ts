import type { Cell, ColumnType, Snapshot, Table } from '../snapshot.ts'
import { rowOf } from './answer.ts'
import { quoted } from '../statement.ts'
import type { Queryable } from './queryable.ts'

/** Returns the file keys of all accounts' photos. */
export async function photosIn(connection: Queryable): Promise<string[]> {
  const rows = await connection.ask<{ photo: string }>(
    'SELECT photo FROM users WHERE photo IS NOT NULL ORDER BY id',
  )
  return rows.map(({ photo }) => photo)
}

/** Returns each table's row count. */
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

/** Returns the recorded migrations. Their table must exist. */
export async function migrationsIn(connection: Queryable): Promise<Snapshot['migrations']> {
  const ran = await connection.ask<{ name: string; ranAt: Date }>(
    'SELECT name, ran_at FROM migrations ORDER BY name',
  )
  return Array.from(ran)
}

/** Converts a row's value to a snapshot's. A time keeps its microseconds, unless it has only milliseconds. */
export function cellOf(value: unknown, type: ColumnType | undefined): Cell {
  return type === 'time' && typeof value === 'string'
    ? value.replace(/000Z$/, 'Z')
    : (value as Cell)
}
