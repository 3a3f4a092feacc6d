import { manyRows } from './many-rows.ts'
import type { Browsers } from '../browsers.ts'

/** In words that every database understands. */
export const alike = {
  forget: async (tx, { userId, before }) => {
    await tx.run`DELETE FROM browsers WHERE user_id = ${userId} AND last_login_at <= ${before}`
  },

  keepNewest: async (tx, { userId, most }) => {
    await tx.run`
      DELETE FROM browsers WHERE user_id = ${userId} AND hash IN (
        SELECT hash FROM (
          SELECT hash FROM browsers WHERE user_id = ${userId}
          ORDER BY last_login_at DESC LIMIT ${manyRows} OFFSET ${most}) AS oldest)`
  },
} satisfies Partial<Browsers>
