import type { User, Users } from '../users.ts'

export const users: Users = {
  insert: (tx, { name, email, emailKey, passwordHash, at }) => tx.first<User>`
    INSERT INTO users (name, email, email_key, password_hash, created_at)
    VALUES (${name}, ${email}, ${emailKey}, ${passwordHash}, ${at})
    ON CONFLICT (email_key) DO NOTHING
    RETURNING *`,

  byId: (db, id) => db.first<User>`SELECT * FROM users WHERE id = ${id}`,

  byEmailKey: (db, emailKey) => db.first<User>`SELECT * FROM users WHERE email_key = ${emailKey}`,

  isTaken: async (db, emailKey) =>
    (await db.first`SELECT 1 FROM users WHERE email_key = ${emailKey}`) !== undefined,

  rehash: async (tx, { id, from, to }) =>
    (await tx.run`
      UPDATE users SET password_hash = ${to} WHERE id = ${id} AND password_hash = ${from}`) === 1,

  verify: async (tx, { id, email, at }) =>
    (await tx.run`
      UPDATE users SET email_verified_at = ${at}
      WHERE id = ${id} AND email = ${email} AND email_verified_at IS NULL`) === 1,

  reset: (tx, { id, email, from, changes, to, at }) => tx.first<User>`
    UPDATE users SET
      password_hash = ${to},
      password_changes = password_changes + 1,
      email_verified_at = coalesce(email_verified_at, ${at})
    WHERE id = ${id} AND email = ${email}
      AND password_hash = ${from} AND password_changes = ${changes}
    RETURNING *`,

  updateProfile: (tx, { id, name, email, emailKey }) =>
    tx.first<User>`
      UPDATE users SET
        name = ${name},
        email = ${email},
        email_key = ${emailKey},
        email_verified_at = CASE WHEN email_key = ${emailKey} THEN email_verified_at END
      WHERE id = ${id}
        AND NOT EXISTS (SELECT 1 FROM users WHERE email_key = ${emailKey} AND id <> ${id})
      RETURNING *`,

  setPassword: (tx, { id, from, to }) =>
    tx.first<User>`
      UPDATE users SET password_hash = ${to}, password_changes = password_changes + 1
      WHERE id = ${id} AND password_hash = ${from}
      RETURNING *`,

  removePassword: (tx, { id, from }) =>
    tx.first<User>`
      UPDATE users SET password_hash = '', password_changes = password_changes + 1
      WHERE id = ${id} AND password_hash = ${from}
        AND EXISTS (SELECT 1 FROM passkeys WHERE user_id = ${id})
      RETURNING *`,

  setPhoto: async (tx, { id, photo }) =>
    (await tx.run`UPDATE users SET photo = ${photo} WHERE id = ${id}`) === 1,

  delete: (tx, { id, from }) =>
    tx.first<User>`DELETE FROM users WHERE id = ${id} AND password_hash = ${from} RETURNING *`,

  deleteKeys: async (tx, id) => {
    await tx.run`DELETE FROM passkeys WHERE user_id = ${id}`
    await tx.run`DELETE FROM access_tokens WHERE user_id = ${id}`
  },
}
