import type { Throttle, Throttles } from '../throttles.ts'

/** Statements that run on every database. */
export const alike = {
  find: (db, key) => db.first<Throttle>`SELECT tries, ends_at FROM throttles WHERE "key" = ${key}`,

  move: async (db, { key, endsAt }) => {
    await db.run`UPDATE throttles SET ends_at = ${endsAt} WHERE "key" = ${key}`
  },

  clear: async (db, key) => {
    await db.run`DELETE FROM throttles WHERE "key" = ${key}`
  },

  giveBack: async (tx, { key, now }) => {
    // A transaction runs them in this order; the update locks the row, so no other writer comes between.
    await Promise.all([
      tx.run`
        UPDATE throttles SET tries = tries - 1 WHERE "key" = ${key} AND tries > 0 AND ends_at > ${now}`,
      tx.run`DELETE FROM throttles WHERE "key" = ${key} AND tries = 0`,
    ])
  },
} satisfies Partial<Throttles>
