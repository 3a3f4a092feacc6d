import { alike } from '../alike/browsers.ts'
import type { Browsers } from '../browsers.ts'

export const browsers: Browsers = {
  ...alike,

  seen: async (tx, { userId, hash, at }) => {
    // What it looks for is as it was before it wrote.
    const seen = await tx.first<{ known: boolean }>`
      WITH kept AS (
        INSERT INTO browsers (user_id, hash, last_login_at) VALUES (${userId}, ${hash}, ${at})
        ON CONFLICT (user_id, hash) DO UPDATE SET last_login_at = excluded.last_login_at)
      SELECT EXISTS (SELECT 1 FROM browsers WHERE user_id = ${userId} AND hash = ${hash}) AS known`
    return seen?.known ?? false
  },

  // The condition outside too: of a row that was waited for nothing else is asked again.
  prune: (db, { before, most }) => db.run`
    DELETE FROM browsers
    WHERE last_login_at <= ${before} AND (user_id, hash) IN (
      SELECT user_id, hash FROM browsers WHERE last_login_at <= ${before} LIMIT ${most})`,
}
