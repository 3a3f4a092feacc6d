import { alike } from '../alike/browsers.ts'
import type { Browsers } from '../browsers.ts'

export const browsers: Browsers = {
  ...alike,

  recordLogin: async (tx, { userId, hash, at }) => {
    const known =
      await tx.first`SELECT 1 FROM browsers WHERE user_id = ${userId} AND hash = ${hash}`
    await tx.run`
      INSERT INTO browsers (user_id, hash, last_login_at) VALUES (${userId}, ${hash}, ${at})
      ON CONFLICT (user_id, hash) DO UPDATE SET last_login_at = excluded.last_login_at`
    return known !== undefined
  },

  prune: (db, { before, most }) => db.run`
    DELETE FROM browsers
    WHERE (user_id, hash) IN (
      SELECT user_id, hash FROM browsers WHERE last_login_at <= ${before} LIMIT ${most})`,
}
