import type { Notifications } from '../notifications.ts'

export const notifications: Notifications = {
  prune: (db, { before, most }) => db.run`
    DELETE FROM notifications
    WHERE id IN (SELECT id FROM notifications WHERE read_at < ${before} LIMIT ${most})`,
}
