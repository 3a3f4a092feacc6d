import { alike } from '../alike/tokens.ts'
import type { Tokens } from '../tokens.ts'

export const tokens: Tokens = {
  ...alike,

  insert: async (tx, { userId, hash, name, abilities, expiresAt, at, most }) => {
    const made = await tx.first<{ id: number }>`
      INSERT INTO access_tokens (user_id, hash, name, abilities, expires_at, created_at)
      SELECT ${userId}, ${hash}, ${name}, ${abilities}, ${expiresAt}, ${at}
      WHERE (SELECT count(*) FROM access_tokens WHERE user_id = ${userId}) < ${most}
      RETURNING id`
    return made?.id
  },

  // AUTOINCREMENT's sequence holds the highest ID ever assigned.
  isGone: async (db, id) =>
    (await db.first`
      SELECT 1 FROM sqlite_sequence
      WHERE name = 'access_tokens' AND seq >= ${id}
        AND NOT EXISTS (SELECT 1 FROM access_tokens WHERE id = ${id})`) !== undefined,
}
