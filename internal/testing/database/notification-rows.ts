import type { Database, Db } from '../../db/db.ts'

/** Gives an account unread notifications of one passkey each, named 1, 2, 3 … */
export async function addNotifications(
  db: Database,
  { userId, count, at }: { userId: number; count: number; at: Date },
): Promise<void> {
  await db.transaction(async (tx) => {
    for (let n = 1; n <= count; n++) {
      const data = JSON.stringify({ name: String(n) })
      await addNotification(tx, { userId, kind: 'passkey-added', data, at })
    }
  })
}

/** Adds every notification once more. */
export async function doubleNotifications(db: Db): Promise<void> {
  await db.run`
    INSERT INTO notifications (user_id, kind, data, created_at)
    SELECT user_id, kind, data, created_at FROM notifications`
}

interface NewNotification {
  readonly userId: number
  readonly kind: string
  /** JSON. */
  readonly data?: string
  readonly at: Date
  /** Unread if absent. */
  readonly readAt?: Date | null
}

/** Gives an account a notification of any kind and data. */
export async function addNotification(
  db: Db,
  { userId, kind, data = '{}', at, readAt = null }: NewNotification,
): Promise<void> {
  await db.run`
    INSERT INTO notifications (user_id, kind, data, created_at, read_at)
    VALUES (${userId}, ${kind}, ${data}, ${at}, ${readAt})`
}
