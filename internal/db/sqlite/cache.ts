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
      WHERE key >= ${start} AND key < ${start} || char(0x10ffff)
        AND json_extract(value, '$.userId') = ${userId} AND (ends_at IS NULL OR ends_at > ${now})`
    return counted?.count ?? 0
  },

  deleteOfUser: async (tx, { start, userId, now }) => {
    const deleted = await tx.all<{ stood: number }>`
      DELETE FROM cache
      WHERE key >= ${start} AND key < ${start} || char(0x10ffff)
        AND json_extract(value, '$.userId') = ${userId}
      RETURNING ends_at IS NULL OR ends_at > ${now} AS stood`
    return deleted.filter(({ stood }) => stood === 1).length
  },

  prune: (db, { now, most }) => db.run`
    DELETE FROM cache WHERE key IN (SELECT key FROM cache WHERE ends_at <= ${now} LIMIT ${most})`,
}
