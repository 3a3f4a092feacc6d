import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/db.ts'

/** Adds rows that have an end, and reads those that pruning leaves; the same on every database. */

export async function addSession(db: Db, endsAt: Date): Promise<void> {
  await db.run`
    INSERT INTO sessions ("key", payload, ends_at) VALUES (${randomBytes(32)}, 'x', ${endsAt})`
}

export async function countSessions(db: Db): Promise<number> {
  const counted = await db.first<{ n: number }>`SELECT count(*) AS n FROM sessions`
  return counted?.n ?? 0
}

/** Adds a cache entry; null means that it never ends. */
export async function addEntry(db: Db, key: string, endsAt: Date | null): Promise<void> {
  await db.run`INSERT INTO cache ("key", value, ends_at) VALUES (${key}, 'x', ${endsAt})`
}

export async function entryKeys(db: Db): Promise<string[]> {
  const entries = await db.all<{ key: string }>`SELECT "key" FROM cache ORDER BY "key"`
  return entries.map(({ key }) => key)
}
