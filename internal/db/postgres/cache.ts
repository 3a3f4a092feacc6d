import { alike, endOfTime } from '../alike/cache.ts'
import type { Cache } from '../cache.ts'

export const cache: Cache = {
  ...alike,

  put: async (db, { key, value, endsAt }) => {
    await db.run`
      INSERT INTO cache (key, value, ends_at) VALUES (${key}, ${value}, ${endsAt})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, ends_at = excluded.ends_at`
  },

  replace: async (tx, { key, value, unless: { from, to } }) =>
    (await tx.run`
      INSERT INTO cache (key, value) VALUES (${key}, ${value})
      ON CONFLICT (key) DO UPDATE SET value = excluded.value, ends_at = NULL
      WHERE cache.value NOT BETWEEN ${from} AND ${to}`) === 1,

  take: async (db, { key, now, latest = endOfTime }) => {
    const taken = await db.first<{ value: string }>`
      DELETE FROM cache
      WHERE key = ${key} AND (ends_at IS NULL OR (ends_at > ${now} AND ends_at <= ${latest}))
      RETURNING value`
    return taken?.value
  },

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

  // The condition outside too: of a row that was waited for nothing else is asked again.
  prune: (db, { now, most }) => db.run`
    DELETE FROM cache
    WHERE ends_at <= ${now} AND key IN (SELECT key FROM cache WHERE ends_at <= ${now} LIMIT ${most})`,
}
