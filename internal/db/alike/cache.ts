import type { Cache } from '../cache.ts'

/** Later than anything that is kept. */
export const endOfTime = new Date('9999-12-31')

/** The statements that every database understands. */
export const alike = {
  get: async (db, { key, now, latest = endOfTime }) => {
    const kept = await db.first<{ value: string }>`
      SELECT value FROM cache
      WHERE "key" = ${key} AND (ends_at IS NULL OR (ends_at > ${now} AND ends_at <= ${latest}))`
    return kept?.value
  },
} satisfies Partial<Cache>
