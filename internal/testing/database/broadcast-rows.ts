import type { Db } from '../../db/db.ts'

/** Reads and changes rows of events directly rather than through the service; the same on every database. */

/** Returns the events waiting to be delivered, oldest first. */
export function allBroadcasts(db: Db): Promise<{ channel: string; event: string }[]> {
  return db.all`SELECT channel, event FROM broadcasts ORDER BY id`
}

/** Makes storing events fail from now on. */
export async function dropBroadcasts(db: Db): Promise<void> {
  await db.run`DROP TABLE broadcasts`
}

/** Makes reading events fail from now on, until `showBroadcasts`. */
export async function hideBroadcasts(db: Db): Promise<void> {
  await db.run`ALTER TABLE broadcasts RENAME TO hidden_broadcasts`
}

export async function showBroadcasts(db: Db): Promise<void> {
  await db.run`ALTER TABLE hidden_broadcasts RENAME TO broadcasts`
}
