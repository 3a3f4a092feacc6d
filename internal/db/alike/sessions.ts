import type { SessionRow, Sessions } from '../sessions.ts'

/** Statements that run on every database. */
export const alike = {
  insert: async (tx, { key, userId, payload, endsAt }) => {
    await tx.run`
      INSERT INTO sessions ("key", user_id, payload, ends_at)
      VALUES (${key}, ${userId}, ${payload}, ${endsAt})`
  },

  find: (db, { key, now }) => db.first<SessionRow>`
    SELECT payload, ends_at FROM sessions WHERE "key" = ${key} AND ends_at > ${now}`,

  update: async (tx, { key, payload, endsAt }) => {
    await tx.run`
      UPDATE sessions SET payload = ${payload}, ends_at = ${endsAt} WHERE "key" = ${key}`
  },

  delete: async (tx, key) => (await tx.run`DELETE FROM sessions WHERE "key" = ${key}`) === 1,
} satisfies Partial<Sessions>
