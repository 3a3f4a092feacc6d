import { mostAtOnce } from '../alike/most-at-once.ts'
import { alike } from '../alike/notifications.ts'
import type { Notifications } from '../notifications.ts'

export const notifications: Notifications = {
  ...alike,

  markRead: (tx, { userId, ids, at }) => tx.run`
    UPDATE notifications SET read_at = ${at}
    WHERE id IN (SELECT value::bigint FROM json_array_elements_text(${JSON.stringify(ids)}) AS value)
      AND user_id = ${userId} AND read_at IS NULL`,

  prune: (db, { before, most }) => db.run`
    DELETE FROM notifications
    WHERE id = ANY(ARRAY(
      SELECT id FROM notifications WHERE read_at < ${before} ORDER BY read_at LIMIT ${most}))`,

  keepNewest: async (db, { userId, most }) => {
    await db.run`
      DELETE FROM notifications WHERE user_id = ${userId} AND id = ANY(ARRAY(
        SELECT id FROM notifications WHERE user_id = ${userId}
        ORDER BY id DESC LIMIT ${mostAtOnce} OFFSET ${most}))`
  },
}
