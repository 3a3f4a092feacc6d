import { endOfTime } from '../cache.ts'
import type { Cache } from '../../cache.ts'

/** Statements for databases that have RETURNING and ON CONFLICT. */
export const returning = {
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
    const entry = await db.first<{ value: string }>`
      DELETE FROM cache
      WHERE key = ${key} AND (ends_at IS NULL OR (ends_at > ${now} AND ends_at <= ${latest}))
      RETURNING value`
    return entry?.value
  },
} satisfies Partial<Cache>
