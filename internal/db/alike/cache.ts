import type { Cache } from '../cache.ts'

/** Later than any stored time. */
export const endOfTime = new Date('9999-12-31')

/** Statements that run on every database. */
export const alike = {
  get: async (db, { key, now, latest = endOfTime }) => {
    const entry = await db.first<{ value: string }>`
      SELECT value FROM cache
      WHERE "key" = ${key} AND (ends_at IS NULL OR (ends_at > ${now} AND ends_at <= ${latest}))`
    return entry?.value
  },
} satisfies Partial<Cache>
