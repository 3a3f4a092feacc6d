import { alike } from '../alike/throttles.ts'
import type { Throttles } from '../throttles.ts'
import type { Wrote } from './connection.ts'

// More than any window lets in. With the milliseconds of a time it is a number exactly until the year 2255.
const mostTold = 1000

export const throttles: Throttles = {
  ...alike,

  // Columns are set in their order: the count before the end that it hangs on. The last one leaves the key as it is, and has
  // what this try made of both come back in the place of an ID: another try may count before one could look.
  take: async (db, { key, now, endsAt, latest = endsAt }) => {
    const wrote = await db.first<Wrote>`
      INSERT INTO throttles ("key", tries, ends_at) VALUES (${key}, 1, ${endsAt})
      ON DUPLICATE KEY UPDATE
        tries = IF(ends_at <= ${now}, 1, tries + 1),
        ends_at = IF(ends_at <= ${now}, ${endsAt}, least(ends_at, CAST(${latest} AS DATETIME(6)))),
        "key" = IF(LAST_INSERT_ID(
          CAST(UNIX_TIMESTAMP(ends_at) * 1000 AS UNSIGNED) * ${mostTold} + least(tries, ${mostTold - 1})
        ) = 0, "key", "key")`
    // A row that was changed counts as two.
    if (!wrote || wrote.found === 1) return { tries: 1, endsAt }
    const at = Math.floor(wrote.insertId / mostTold)
    return { tries: wrote.insertId % mostTold, endsAt: new Date(at) }
  },

  prune: (db, { now, most }) => db.run`DELETE FROM throttles WHERE ends_at <= ${now} LIMIT ${most}`,
}
