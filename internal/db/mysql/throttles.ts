import type { Throttle, Throttles } from '../throttles.ts'
import type { Wrote } from './connection.ts'

export const throttles: Throttles = {
  // The count comes back as the ID, so that it is the one that this try made. The end is set last: the count hangs on it.
  take: async (db, { key, now, endsAt, latest = endsAt }) => {
    const wrote = await db.first<Wrote>`
      INSERT INTO throttles ("key", tries, ends_at) VALUES (${key}, LAST_INSERT_ID(1), ${endsAt})
      ON DUPLICATE KEY UPDATE
        tries = LAST_INSERT_ID(IF(ends_at <= ${now}, 1, tries + 1)),
        ends_at = IF(ends_at <= ${now}, ${endsAt}, least(ends_at, CAST(${latest} AS DATETIME(6))))`
    // A row that was changed counts as two.
    const kept = wrote?.found === 1 ? undefined : await throttles.find(db, key)
    return { tries: wrote?.insertId ?? 0, endsAt: kept?.endsAt ?? endsAt }
  },

  find: (db, key) => db.first<Throttle>`SELECT tries, ends_at FROM throttles WHERE "key" = ${key}`,

  move: async (tx, { key, endsAt }) => {
    await tx.run`UPDATE throttles SET ends_at = ${endsAt} WHERE "key" = ${key}`
  },

  clear: async (db, key) => {
    await db.run`DELETE FROM throttles WHERE "key" = ${key}`
  },

  giveBack: async (tx, { key, now }) => {
    await tx.run`
      UPDATE throttles SET tries = tries - 1 WHERE "key" = ${key} AND tries > 0 AND ends_at > ${now}`
  },

  prune: (db, { now, most }) => db.run`DELETE FROM throttles WHERE ends_at <= ${now} LIMIT ${most}`,
}
