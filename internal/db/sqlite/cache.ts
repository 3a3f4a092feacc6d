import type { Cache } from '../cache.ts'

export const cache: Cache = {
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

  get: async (db, { key, now }) => {
    const kept = await db.first<{ value: string }>`
      SELECT value FROM cache WHERE key = ${key} AND (ends_at IS NULL OR ends_at > ${now})`
    return kept?.value
  },

  take: async (db, { key, now }) => {
    const taken = await db.first<{ value: string }>`
      DELETE FROM cache WHERE key = ${key} AND (ends_at IS NULL OR ends_at > ${now})
      RETURNING value`
    return taken?.value
  },

  prune: (db, { now, most }) => db.run`
    DELETE FROM cache WHERE key IN (SELECT key FROM cache WHERE ends_at <= ${now} LIMIT ${most})`,
}
