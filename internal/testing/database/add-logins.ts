import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/db.ts'

/** Gives the first account further logins. */
export async function addLogins(
  db: Db,
  { count, endsAt }: { count: number; endsAt: Date },
): Promise<void> {
  for (let added = 0; added < count; added++) {
    await db.run`
      INSERT INTO logins
        ("key", user_id, user_agent, address, remember, logged_in_at, last_seen_at, ends_at)
      VALUES (${randomBytes(32)}, 1, '', '192.0.2.1', ${false}, ${endsAt}, ${endsAt}, ${endsAt})`
  }
}
