import { alike } from '../alike/logins.ts'
import type { Logins } from '../logins.ts'

export const logins: Logins = {
  ...alike,

  endOfUser: async (tx, { userId, now }) => {
    const rows = await tx.all<{ stood: boolean }>`
      SELECT ends_at > ${now} AS stood FROM logins WHERE user_id = ${userId} FOR UPDATE`
    await tx.run`DELETE FROM logins WHERE user_id = ${userId}`
    return rows.filter(({ stood }) => stood).length
  },

  prune: (db, { now, most }) => db.run`
    DELETE FROM logins WHERE ends_at <= ${now} LIMIT ${most}`,
}
