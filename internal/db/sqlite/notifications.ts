import { alike } from '../alike/notifications.ts'
import type { Notifications } from '../notifications.ts'

export const notifications: Notifications = {
  ...alike,

  markRead: (tx, { userId, ids, at }) => tx.run`
    UPDATE notifications SET read_at = ${at}
    WHERE id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
      AND user_id = ${userId} AND read_at IS NULL`,

  prune: (db, { before, most }) => db.run`
    DELETE FROM notifications
    WHERE id IN (SELECT id FROM notifications WHERE read_at < ${before} LIMIT ${most})`,
}
