import { mostAtOnce } from './most-at-once.ts'
import type { Browsers } from '../browsers.ts'

/** Statements that run on every database. */
export const alike = {
  forget: async (tx, { userId, before }) => {
    await tx.run`DELETE FROM browsers WHERE user_id = ${userId} AND last_login_at <= ${before}`
  },

  keepNewest: async (db, { userId, now, most }) => {
    await db.run`
      DELETE FROM browsers WHERE user_id = ${userId} AND hash IN (
        SELECT hash FROM (
          SELECT hash FROM browsers WHERE user_id = ${userId} AND last_login_at <= ${now}
          ORDER BY last_login_at DESC LIMIT ${mostAtOnce} OFFSET ${most}) AS surplus)`
  },
} satisfies Partial<Browsers>
