import type { Browsers } from '../browsers.ts'

/** In words that every database understands. */
export const alike = {
  forget: async (tx, { userId, before }) => {
    await tx.run`DELETE FROM browsers WHERE user_id = ${userId} AND last_login_at <= ${before}`
  },
} satisfies Partial<Browsers>
