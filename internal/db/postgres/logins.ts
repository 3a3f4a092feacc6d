import { alike } from '../alike/logins.ts'
import { mostAtOnce } from '../alike/most-at-once.ts'
import type { Logins } from '../logins.ts'

export const logins: Logins = {
  ...alike,

  // The time is repeated outside: a login that was seen while its row was locked is among the newest.
  keepNewest: async (db, { userId, now, most }) => {
    await db.run`
      DELETE FROM logins WHERE user_id = ${userId} AND last_seen_at <= ${now} AND key = ANY(ARRAY(
        SELECT key FROM logins WHERE user_id = ${userId} AND last_seen_at <= ${now}
        ORDER BY last_seen_at DESC LIMIT ${mostAtOnce} OFFSET ${most}))`
  },

  endOfUser: async (tx, { userId, now }) => {
    const deleted = await tx.all<{ stood: boolean }>`
      DELETE FROM logins WHERE user_id = ${userId} RETURNING ends_at > ${now} AS stood`
    return deleted.filter(({ stood }) => stood).length
  },

  // The condition is repeated outside because PostgreSQL rechecks only the outer one after waiting for a row lock.
  prune: (db, { now, most }) => db.run`
    DELETE FROM logins
    WHERE ends_at <= ${now} AND key = ANY(ARRAY(
      SELECT key FROM logins WHERE ends_at <= ${now} ORDER BY ends_at LIMIT ${most}))`,
}
