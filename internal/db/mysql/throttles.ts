import { alike } from '../alike/throttles.ts'
import type { Throttles } from '../throttles.ts'
import type { Wrote } from './connection.ts'

// More tries than any window allows. A time in milliseconds times this is an exact number until the year 2255.
const mostReported = 1000

export const throttles: Throttles = {
  ...alike,

  // Columns are set in the order in which they are written: tries comes first, as it depends on the old end. The last
  // assignment leaves the key unchanged, and returns the new tries and end as the insert ID: if they were read
  // afterwards, another try could have changed them.
  take: async (db, { key, now, endsAt, latest = endsAt }) => {
    const wrote = await db.first<Wrote>`
      INSERT INTO throttles ("key", tries, ends_at) VALUES (${key}, 1, ${endsAt})
      ON DUPLICATE KEY UPDATE
        tries = IF(ends_at <= ${now}, 1, tries + 1),
        ends_at = IF(ends_at <= ${now}, ${endsAt}, least(ends_at, CAST(${latest} AS DATETIME(6)))),
        "key" = IF(LAST_INSERT_ID(
          CAST(UNIX_TIMESTAMP(ends_at) * 1000 AS UNSIGNED) * ${mostReported} + least(tries, ${mostReported - 1})
        ) = 0, "key", "key")`
    // A new row counts as one, a changed one as two.
    if (!wrote || wrote.matched === 1) return { tries: 1, endsAt }
    const at = Math.floor(wrote.insertId / mostReported)
    return { tries: wrote.insertId % mostReported, endsAt: new Date(at) }
  },

  prune: (db, { now, most }) => db.run`DELETE FROM throttles WHERE ends_at <= ${now} LIMIT ${most}`,
}
