import { alike, endOfTime } from '../alike/cache.ts'
import type { Cache } from '../cache.ts'
import type { Wrote } from './connection.ts'

/** Returns a text that sorts after every key with this prefix. */
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

  // The insert ID is 1 if the entry is left unchanged: the table itself assigns no IDs. Columns are set in the order
  // in which they are written: ends_at comes first, as it depends on the old value.
  replace: async (tx, { key, value, unless: { from, to } }) => {
    const wrote = await tx.first<Wrote>`
      INSERT INTO cache ("key", value) VALUES (${key}, ${value})
      ON DUPLICATE KEY UPDATE
        ends_at = IF(value BETWEEN ${from} AND ${to}, ends_at, NULL),
        value = IF(value BETWEEN ${from} AND ${to}, IF(LAST_INSERT_ID(1) = 1, value, NULL), ${value})`
    return wrote?.insertId !== 1
  },

  // Of several readers, the one whose DELETE succeeds gets the entry. The others look up the key again.
  take: async (db, { key, now, latest = endOfTime }) => {
    for (;;) {
      const entry = await cache.get(db, { key, now, latest })
      if (entry === undefined) return undefined
      const deleted = await db.run`
        DELETE FROM cache
        WHERE "key" = ${key} AND value = ${entry}
          AND (ends_at IS NULL OR (ends_at > ${now} AND ends_at <= ${latest}))`
      if (deleted === 1) return entry
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

  // Deletes each entry by its key: a DELETE of the range would wait for writes to other accounts' entries.
  deleteOfUser: async (tx, { start, userId, now }) => {
    const entries = await tx.all<{ key: string; stood: boolean }>`
      SELECT "key", (ends_at IS NULL OR ends_at > ${now}) AS stood FROM cache
      WHERE "key" >= ${start} AND "key" < ${endOf(start)} AND json_value(value, '$.userId' RETURNING SIGNED) = ${userId}`
    const deleted = await Promise.all(
      entries.map(
        ({ key }) => tx.run`
          DELETE FROM cache WHERE "key" = ${key} AND json_value(value, '$.userId' RETURNING SIGNED) = ${userId}`,
      ),
    )
    return entries.filter(({ stood }, at) => stood && deleted[at] === 1).length
  },

  prune: (db, { now, most }) => db.run`DELETE FROM cache WHERE ends_at <= ${now} LIMIT ${most}`,
}
