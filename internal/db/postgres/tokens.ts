import { alike } from '../alike/tokens.ts'
import type { Tokens } from '../tokens.ts'

export const tokens: Tokens = {
  ...alike,

  insert: async (tx, { userId, hash, name, abilities, expiresAt, at, most }) => {
    const made = await tx.first<{ id: number }>`
      INSERT INTO access_tokens (user_id, hash, name, abilities, expires_at, created_at)
      SELECT ${userId}::bigint, ${hash}, ${name}, ${abilities}, ${expiresAt}, ${at}
      WHERE (SELECT count(*) FROM access_tokens WHERE user_id = ${userId}) < ${most}
      RETURNING id`
    return made?.id
  },

  // The sequence holds the highest ID ever assigned. Not read as a table, for which USAGE is not enough.
  isGone: async (db, id) =>
    (await db.first`
      SELECT 1
      WHERE pg_sequence_last_value('access_tokens_id_seq'::regclass) >= ${id}
        AND NOT EXISTS (SELECT 1 FROM access_tokens WHERE id = ${id})`) !== undefined,
}
