import type { Database } from '../../internal/db/db.ts'

/** Returns the faults that SQLite finds in the file. */
export async function damageOf(db: Database): Promise<string[]> {
  const rows = await db.all<{ integrityCheck: string }>`PRAGMA integrity_check`
  return rows.map(({ integrityCheck }) => integrityCheck).filter((text) => text !== 'ok')
}
