import type { Db } from '../../db/db.ts'

/** Reads and changes rows of events directly, not through the service; the same on every database. */

/** The events on their way to open pages, oldest first. */
export function allBroadcasts(db: Db): Promise<{ channel: string; event: string }[]> {
  return db.all`SELECT channel, event FROM broadcasts ORDER BY id`
}

/** From here on no event can be kept. */
export async function dropBroadcasts(db: Db): Promise<void> {
  await db.run`DROP TABLE broadcasts`
}

/** From here on no event can be read, until `showBroadcasts`. */
export async function hideBroadcasts(db: Db): Promise<void> {
  await db.run`ALTER TABLE broadcasts RENAME TO hidden_broadcasts`
}

export async function showBroadcasts(db: Db): Promise<void> {
  await db.run`ALTER TABLE hidden_broadcasts RENAME TO broadcasts`
}
