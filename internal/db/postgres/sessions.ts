import { alike } from '../alike/sessions.ts'
import type { SessionRow, Sessions } from '../sessions.ts'

export const sessions: Sessions = {
  ...alike,

  hold: (tx, { key, now }) => tx.first<SessionRow>`
    SELECT payload, ends_at FROM sessions WHERE key = ${key} AND ends_at > ${now} FOR UPDATE`,

  // The condition outside too: of a row that was waited for nothing else is asked again.
  prune: (db, { now, most }) => db.run`
    DELETE FROM sessions
    WHERE ends_at <= ${now} AND key IN (SELECT key FROM sessions WHERE ends_at <= ${now} LIMIT ${most})`,
}
