import type { Sessions } from '../sessions.ts'

export const sessions: Sessions = {
  prune: (db, { now, most }) => db.run`
    DELETE FROM sessions WHERE key IN (SELECT key FROM sessions WHERE ends_at <= ${now} LIMIT ${most})`,
}
