import { alike } from '../alike/browsers.ts'
import { mostAtOnce } from '../alike/most-at-once.ts'
import type { Browsers } from '../browsers.ts'

export const browsers: Browsers = {
  ...alike,

  recordLogin: async (tx, { userId, hash, at }) => {
    // The SELECT sees the table as it was before the INSERT of the same statement.
    const row = await tx.first<{ known: boolean }>`
      WITH kept AS (
        INSERT INTO browsers (user_id, hash, last_login_at) VALUES (${userId}, ${hash}, ${at})
        ON CONFLICT (user_id, hash) DO UPDATE SET last_login_at = excluded.last_login_at)
      SELECT EXISTS (SELECT 1 FROM browsers WHERE user_id = ${userId} AND hash = ${hash}) AS known`
    return row?.known ?? false
  },

  // Deletes by row location (ctid): by the two key columns, the whole table would be read. The condition is repeated
  // outside because PostgreSQL rechecks only the outer one after waiting for a row lock.
  prune: (db, { before, most }) => db.run`
    DELETE FROM browsers
    WHERE last_login_at <= ${before} AND ctid = ANY(ARRAY(
      SELECT ctid FROM browsers
      WHERE last_login_at <= ${before} ORDER BY last_login_at LIMIT ${most}))`,

  // The time is repeated outside, as in `prune`: a browser that logged in meanwhile is among the newest.
  keepNewest: async (db, { userId, now, most }) => {
    await db.run`
      DELETE FROM browsers WHERE user_id = ${userId} AND last_login_at <= ${now} AND hash = ANY(ARRAY(
        SELECT hash FROM browsers WHERE user_id = ${userId} AND last_login_at <= ${now}
        ORDER BY last_login_at DESC LIMIT ${mostAtOnce} OFFSET ${most}))`
  },
}
