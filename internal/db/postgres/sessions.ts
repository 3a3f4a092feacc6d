import { alike } from '../alike/sessions.ts'
import type { SessionRow, Sessions } from '../sessions.ts'

export const sessions: Sessions = {
  ...alike,

  hold: (tx, { key, now }) => tx.first<SessionRow>`
    SELECT payload, ends_at FROM sessions WHERE key = ${key} AND ends_at > ${now} FOR UPDATE`,

  // The condition is repeated outside because PostgreSQL rechecks only the outer one after waiting for a row lock.
  prune: (db, { now, most }) => db.run`
    DELETE FROM sessions
    WHERE ends_at <= ${now} AND key = ANY(ARRAY(
      SELECT key FROM sessions WHERE ends_at <= ${now} ORDER BY ends_at LIMIT ${most}))`,
}
