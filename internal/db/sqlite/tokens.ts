import type { AccessToken, Tokens, UsedToken } from '../tokens.ts'

export const tokens: Tokens = {
  insert: async (tx, { userId, hash, name, abilities, expiresAt, at, most }) => {
    const made = await tx.first<{ id: number }>`
      INSERT INTO access_tokens (user_id, hash, name, abilities, expires_at, created_at)
      SELECT ${userId}, ${hash}, ${name}, ${abilities}, ${expiresAt}, ${at}
      WHERE (SELECT count(*) FROM access_tokens WHERE user_id = ${userId}) < ${most}
      RETURNING id`
    return made?.id
  },

  ofUser: (db, userId) =>
    db.all<AccessToken>`
      SELECT * FROM access_tokens WHERE user_id = ${userId} ORDER BY id DESC`,

  use: (db, { hash, now }) => db.first<UsedToken>`
    SELECT u.*, t.id AS token_id, t.abilities, t.last_used_at
    FROM access_tokens t
    JOIN users u ON u.id = t.user_id
    WHERE t.hash = ${hash} AND (t.expires_at IS NULL OR t.expires_at > ${now})`,

  used: async (db, { id, now, before }) => {
    await db.run`
      UPDATE access_tokens SET last_used_at = ${now}
      WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at <= ${before})`
  },

  count: async (db, userId) => {
    const counted = await db.first<{ count: number }>`
      SELECT count(*) AS count FROM access_tokens WHERE user_id = ${userId}`
    return counted?.count ?? 0
  },

  delete: async (db, { userId, id }) =>
    (await db.run`DELETE FROM access_tokens WHERE id = ${id} AND user_id = ${userId}`) === 1,

  // The sequence of AUTOINCREMENT has the highest ID that ever was.
  isGone: async (db, id) =>
    (await db.first`
      SELECT 1 FROM sqlite_sequence
      WHERE name = 'access_tokens' AND seq >= ${id}
        AND NOT EXISTS (SELECT 1 FROM access_tokens WHERE id = ${id})`) !== undefined,
}
