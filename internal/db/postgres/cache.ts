import { alike } from '../alike/cache.ts'
import { returning } from '../alike/returning/cache.ts'
import type { Cache } from '../cache.ts'

export const cache: Cache = {
  ...alike,
  ...returning,

  // A range of keys, so that only those entries are read.
  countOfUser: async (db, { start, userId, now }) => {
    const counted = await db.first<{ count: number }>`
      SELECT count(*) AS count FROM cache
      WHERE key >= ${start} AND key < ${start}::text || chr(1114111)
        AND value::json ->> 'userId' = ${userId}::bigint::text AND (ends_at IS NULL OR ends_at > ${now})`
    return counted?.count ?? 0
  },

  deleteOfUser: async (tx, { start, userId, now }) => {
    const deleted = await tx.all<{ stood: boolean }>`
      DELETE FROM cache
      WHERE key >= ${start} AND key < ${start}::text || chr(1114111)
        AND value::json ->> 'userId' = ${userId}::bigint::text
      RETURNING ends_at IS NULL OR ends_at > ${now} AS stood`
    return deleted.filter(({ stood }) => stood).length
  },

  // The condition is repeated outside because PostgreSQL rechecks only the outer one after waiting for a row lock.
  prune: (db, { now, most }) => db.run`
    DELETE FROM cache
    WHERE ends_at <= ${now} AND key = ANY(ARRAY(
      SELECT key FROM cache WHERE ends_at <= ${now} ORDER BY ends_at LIMIT ${most}))`,
}
