import type { AccessToken, Tokens, UsedToken } from '../tokens.ts'

/** Statements that run on every database. */
export const alike = {
  ofUser: (db, userId) =>
    db.all<AccessToken>`SELECT * FROM access_tokens WHERE user_id = ${userId} ORDER BY id DESC`,

  use: (db, { hash, now }) => db.first<UsedToken>`
    SELECT u.*, t.id AS token_id, t.hash AS token_hash, t.abilities, t.last_used_at
    FROM access_tokens t
    JOIN users u ON u.id = t.user_id
    WHERE t.hash = ${hash} AND (t.expires_at IS NULL OR t.expires_at > ${now})`,

  used: async (db, { id, now, before, beyond }) => {
    await db.run`
      UPDATE access_tokens SET last_used_at = ${now}
      WHERE id = ${id}
        AND (last_used_at IS NULL OR last_used_at <= ${before} OR last_used_at > ${beyond})`
  },

  count: async (db, userId) => {
    const counted = await db.first<{ count: number }>`
      SELECT count(*) AS count FROM access_tokens WHERE user_id = ${userId}`
    return counted?.count ?? 0
  },

  delete: async (db, { userId, id }) =>
    (await db.run`DELETE FROM access_tokens WHERE id = ${id} AND user_id = ${userId}`) === 1,
} satisfies Partial<Tokens>
