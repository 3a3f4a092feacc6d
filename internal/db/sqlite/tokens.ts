import type { AccessToken, Tokens, UsedToken } from '../tokens.ts'

export const tokens: Tokens = {
  insert: async (tx, { userId, hash, name, abilities, expiresAt, at }) => {
    await tx.run`
      INSERT INTO access_tokens (user_id, hash, name, abilities, expires_at, created_at)
      VALUES (${userId}, ${hash}, ${name}, ${abilities}, ${expiresAt}, ${at})`
  },

  ofUser: (db, userId) =>
    db.all<AccessToken>`SELECT * FROM access_tokens WHERE user_id = ${userId} ORDER BY id DESC`,

  // `(SELECT …)`, as for logins: SQLite would prepare the join again for each hash.
  use: (db, { hash, now }) => db.first<UsedToken>`
    SELECT u.*, t.id AS token_id, t.abilities, t.last_used_at
    FROM access_tokens t
    JOIN users u ON u.id = t.user_id
    WHERE t.hash = (SELECT ${hash}) AND (t.expires_at IS NULL OR t.expires_at > (SELECT ${now}))`,

  used: async (db, { id, now, before }) => {
    await db.run`
      UPDATE access_tokens SET last_used_at = ${now}
      WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at <= ${before})`
  },

  delete: async (db, { userId, id }) =>
    (await db.run`DELETE FROM access_tokens WHERE id = ${id} AND user_id = ${userId}`) === 1,
}
