import { mostAtOnce } from './most-at-once.ts'
import type { Notification, Notifications } from '../notifications.ts'

/** Statements that run on every database. */
export const alike = {
  insert: async (tx, { userId, kind, data, at }) => {
    await tx.run`
      INSERT INTO notifications (user_id, kind, data, created_at)
      VALUES (${userId}, ${kind}, ${data}, ${at})`
  },

  count: async (db, userId) => {
    const counted = await db.first<{ count: number }>`
      SELECT count(*) AS count FROM notifications WHERE user_id = ${userId}`
    return counted?.count ?? 0
  },

  countUnread: async (db, userId) => {
    const counted = await db.first<{ count: number }>`
      SELECT count(*) AS count FROM notifications WHERE user_id = ${userId} AND read_at IS NULL`
    return counted?.count ?? 0
  },

  countUnreadTo: async (db, { userId, most }) => {
    const counted = await db.first<{ count: number }>`
      SELECT count(*) AS count FROM (
        SELECT 1 FROM notifications
        WHERE user_id = ${userId} AND read_at IS NULL LIMIT ${most}) AS n`
    return counted?.count ?? 0
  },

  list: (db, { userId, skip, most }) =>
    db.all<Notification>`
      SELECT * FROM notifications
      WHERE user_id = ${userId}
      ORDER BY id DESC LIMIT ${most} OFFSET ${skip}`,

  listOldest: (db, { userId, skip, most }) =>
    db.all<Notification>`
      SELECT * FROM notifications
      WHERE user_id = ${userId}
      ORDER BY id LIMIT ${most} OFFSET ${skip}`,

  listUnread: (db, { userId, most, arrived }) =>
    db.all<Notification>`
      SELECT * FROM notifications
      WHERE user_id = ${userId} AND read_at IS NULL
        AND (NOT ${arrived} OR id > (
          SELECT coalesce(max(id), 0) FROM notifications
          WHERE user_id = ${userId} AND read_at IS NOT NULL))
      ORDER BY id DESC LIMIT ${most}`,

  keepNewest: async (db, { userId, most }) => {
    await db.run`
      DELETE FROM notifications WHERE user_id = ${userId} AND id IN (
        SELECT id FROM (
          SELECT id FROM notifications WHERE user_id = ${userId}
          ORDER BY id DESC LIMIT ${mostAtOnce} OFFSET ${most}) AS surplus)`
  },
} satisfies Partial<Notifications>
