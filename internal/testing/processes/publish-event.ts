import { openDatabase } from '#db/driver'
import { broadcasts } from '#db/broadcasts'
import type { EventName } from '../../../web/contract/event-names.ts'
import { notifyAll } from '../database/rows.ts'
import type { Served } from './executable.ts'

/** Publishes an event to a user's pages, as another process on the same database does. */
export async function publishEvent(
  { database }: Pick<Served, 'database'>,
  event: EventName,
  user = 1,
): Promise<void> {
  const db = await openDatabase(database)
  const at = new Date()
  await db.transaction(async (tx) => {
    if (event === 'notification') await notifyAll(tx, at)
    await broadcasts.insert(tx, { channel: `users.${user}`, event, at })
  })
  await db.close()
}
