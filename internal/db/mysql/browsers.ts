import { alike } from '../alike/browsers.ts'
import type { Browsers } from '../browsers.ts'
import type { Wrote } from './connection.ts'

export const browsers: Browsers = {
  ...alike,

  recordLogin: async (tx, { userId, hash, at }) => {
    // The insert ID is 1 if the row existed already: the table itself assigns no IDs.
    const wrote = await tx.first<Wrote>`
      INSERT INTO browsers (user_id, hash, last_login_at) VALUES (${userId}, ${hash}, ${at})
      ON DUPLICATE KEY UPDATE last_login_at = IF(LAST_INSERT_ID(1) = 1, ${at}, NULL)`
    return wrote?.insertId === 1
  },

  prune: (db, { before, most }) => db.run`
    DELETE FROM browsers WHERE last_login_at <= ${before} LIMIT ${most}`,
}
