import { alike } from '../alike/throttles.ts'
import type { Throttle, Throttles } from '../throttles.ts'

export const throttles: Throttles = {
  ...alike,

  take: async (db, { key, now, endsAt, latest = endsAt }) => {
    const throttle = await db.first<Throttle>`
      INSERT INTO throttles (key, tries, ends_at) VALUES (${key}, 1, ${endsAt})
      ON CONFLICT (key) DO UPDATE SET
        tries = CASE WHEN throttles.ends_at <= ${now} THEN 1 ELSE throttles.tries + 1 END,
        ends_at = CASE WHEN throttles.ends_at <= ${now} THEN excluded.ends_at
          ELSE least(throttles.ends_at, ${latest}) END
      RETURNING tries, ends_at`
    if (!throttle) throw new Error('The throttle was not counted.')
    return throttle
  },

  // The condition is repeated outside because PostgreSQL rechecks only the outer one after waiting for a row lock.
  prune: (db, { now, most }) => db.run`
    DELETE FROM throttles
    WHERE ends_at <= ${now} AND key = ANY(ARRAY(
      SELECT key FROM throttles WHERE ends_at <= ${now} ORDER BY ends_at LIMIT ${most}))`,
}
