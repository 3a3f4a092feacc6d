import { mostAtOnce } from './most-at-once.ts'
import type { LoginRow, Logins, Visit } from '../logins.ts'

/** Statements that run on every database. */
export const alike = {
  insert: async (tx, { key, userId, userAgent, address, remember, at, endsAt }) => {
    await tx.run`
      INSERT INTO logins
        ("key", user_id, user_agent, address, remember, logged_in_at, last_seen_at, ends_at)
      VALUES
        (${key}, ${userId}, ${userAgent}, ${address}, ${remember}, ${at}, ${at}, ${endsAt})`
  },

  visit: (db, key, { now, mostUnread }) => db.first<Visit>`
    SELECT l.remember, l.last_seen_at, u.*,
      (SELECT count(*) FROM passkeys WHERE user_id = l.user_id) AS passkeys,
      (SELECT count(*) FROM (
        SELECT 1 FROM notifications
        WHERE user_id = l.user_id AND read_at IS NULL LIMIT ${mostUnread}) AS n) AS unread
    FROM logins l
    JOIN users u ON u.id = l.user_id
    WHERE l."key" = ${key} AND l.ends_at > ${now}`,

  markSeen: async (db, { key, now, endsAt, before }) => {
    await db.run`
      UPDATE logins SET last_seen_at = ${now}, ends_at = ${endsAt}
      WHERE "key" = ${key} AND last_seen_at <= ${before} AND ends_at > ${now}`
  },

  ofUser: (db, { userId, now, first, most }) =>
    db.all<LoginRow>`
      SELECT * FROM logins
      WHERE user_id = ${userId} AND ends_at > ${now}
      ORDER BY ("key" = ${first}) DESC, last_seen_at DESC, logged_in_at DESC
      LIMIT ${most}`,

  count: async (db, { userId, now }) => {
    const counted = await db.first<{ count: number }>`
      SELECT count(*) AS count FROM logins WHERE user_id = ${userId} AND ends_at > ${now}`
    return counted?.count ?? 0
  },

  deleteOne: async (tx, { userId, key }) =>
    (await tx.run`DELETE FROM logins WHERE "key" = ${key} AND user_id = ${userId}`) === 1,

  deleteOthers: async (tx, { userId, key }) => {
    await tx.run`DELETE FROM logins WHERE user_id = ${userId} AND "key" <> ${key}`
  },

  replaceKey: async (tx, { from, to }) => {
    await tx.run`UPDATE logins SET "key" = ${to} WHERE "key" = ${from}`
  },

  delete: async (db, key) => {
    await db.run`DELETE FROM logins WHERE "key" = ${key}`
  },

  keepNewest: async (db, { userId, now, most }) => {
    await db.run`
      DELETE FROM logins WHERE user_id = ${userId} AND "key" IN (
        SELECT "key" FROM (
          SELECT "key" FROM logins WHERE user_id = ${userId} AND last_seen_at <= ${now}
          ORDER BY last_seen_at DESC LIMIT ${mostAtOnce} OFFSET ${most}) AS surplus)`
  },

  deleteOfUser: async (tx, userId) => {
    await tx.run`DELETE FROM logins WHERE user_id = ${userId}`
  },
} satisfies Partial<Logins>
