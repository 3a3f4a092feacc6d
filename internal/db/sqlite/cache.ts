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

  prune: (db, { now, most }) => db.run`
    DELETE FROM cache WHERE key IN (SELECT key FROM cache WHERE ends_at <= ${now} LIMIT ${most})`,
}
