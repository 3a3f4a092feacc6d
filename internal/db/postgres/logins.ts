import { alike } from '../alike/logins.ts'
import type { Logins } from '../logins.ts'

export const logins: Logins = {
  ...alike,

  endOfUser: async (tx, { userId, now }) => {
    const deleted = await tx.all<{ stood: boolean }>`
      DELETE FROM logins WHERE user_id = ${userId} RETURNING ends_at > ${now} AS stood`
    return deleted.filter(({ stood }) => stood).length
  },

  // The condition outside too: of a row that was waited for nothing else is asked again.
  prune: (db, { now, most }) => db.run`
    DELETE FROM logins
    WHERE ends_at <= ${now} AND key IN (SELECT key FROM logins WHERE ends_at <= ${now} LIMIT ${most})`,
}
