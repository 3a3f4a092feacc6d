import { alike, endOfTime } from '../alike/cache.ts'
import type { Cache } from '../cache.ts'
import type { Wrote } from './connection.ts'

/** After every key that starts so. */
function endOf(start: string): string {
  return `${start}\u{10ffff}`
}

export const cache: Cache = {
  ...alike,

  put: async (db, { key, value, endsAt }) => {
    await db.run`
      INSERT INTO cache ("key", value, ends_at) VALUES (${key}, ${value}, ${endsAt})
      ON DUPLICATE KEY UPDATE value = ${value}, ends_at = ${endsAt}`
  },

  // The ID is 1 where what is kept stays: the table gives none. Its end is set before the value that it hangs on.
  replace: async (tx, { key, value, unless: { from, to } }) => {
    const wrote = await tx.first<Wrote>`
      INSERT INTO cache ("key", value) VALUES (${key}, ${value})
      ON DUPLICATE KEY UPDATE
        ends_at = IF(value BETWEEN ${from} AND ${to}, ends_at, NULL),
        value = IF(value BETWEEN ${from} AND ${to}, IF(LAST_INSERT_ID(1) = 1, value, NULL), ${value})`
    return wrote?.insertId !== 1
  },

  // Whoever deletes what was read has it; where another did, it is looked for once more.
  take: async (db, { key, now, latest = endOfTime }) => {
    for (;;) {
      const kept = await cache.get(db, { key, now, latest })
      if (kept === undefined) return undefined
      const deleted = await db.run`
        DELETE FROM cache
        WHERE "key" = ${key} AND value = ${kept}
          AND (ends_at IS NULL OR (ends_at > ${now} AND ends_at <= ${latest}))`
      if (deleted === 1) return kept
    }
  },

  // A range of keys, so that only those entries are read.
  countOfUser: async (db, { start, userId, now }) => {
    const counted = await db.first<{ count: number }>`
      SELECT count(*) AS count FROM cache
      WHERE "key" >= ${start} AND "key" < ${endOf(start)}
        AND json_value(value, '$.userId' RETURNING SIGNED) = ${userId} AND (ends_at IS NULL OR ends_at > ${now})`
    return counted?.count ?? 0
  },

  deleteOfUser: async (tx, { start, userId, now }) => {
    const all = await tx.all<{ stood: boolean }>`
      SELECT (ends_at IS NULL OR ends_at > ${now}) AS stood FROM cache
      WHERE "key" >= ${start} AND "key" < ${endOf(start)} AND json_value(value, '$.userId' RETURNING SIGNED) = ${userId}
      FOR UPDATE`
    await tx.run`
      DELETE FROM cache
      WHERE "key" >= ${start} AND "key" < ${endOf(start)} AND json_value(value, '$.userId' RETURNING SIGNED) = ${userId}`
    return all.filter(({ stood }) => stood).length
  },

  prune: (db, { now, most }) => db.run`DELETE FROM cache WHERE ends_at <= ${now} LIMIT ${most}`,
}
