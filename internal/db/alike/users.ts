import type { User, Users } from '../users.ts'

/** Statements that run on every database. */
export const alike = {
  byId: (db, id) => db.first<User>`SELECT * FROM users WHERE id = ${id}`,

  byEmailKey: (db, emailKey) => db.first<User>`SELECT * FROM users WHERE email_key = ${emailKey}`,

  isTaken: async (db, emailKey) =>
    (await db.first`SELECT 1 FROM users WHERE email_key = ${emailKey}`) !== undefined,

  lastId: async (db) =>
    (await db.first<{ id: number | null }>`SELECT max(id) AS id FROM users`)?.id ?? 0,

  rehash: async (tx, { id, from, to }) =>
    (await tx.run`
      UPDATE users SET password_hash = ${to} WHERE id = ${id} AND password_hash = ${from}`) === 1,

  verify: async (tx, { id, email, at }) =>
    (await tx.run`
      UPDATE users SET email_verified_at = ${at}
      WHERE id = ${id} AND email = ${email} AND email_verified_at IS NULL`) === 1,

  setLanguage: async (tx, { id, language }) => {
    await tx.run`UPDATE users SET language = ${language} WHERE id = ${id}`
  },

  noteLanguage: async (tx, { id, language }) => {
    await tx.run`UPDATE users SET last_language = ${language} WHERE id = ${id}`
  },

  setPhoto: async (tx, { id, photo }) =>
    (await tx.run`UPDATE users SET photo = ${photo} WHERE id = ${id}`) === 1,

  hasPhoto: async (db, photo) =>
    (await db.first`SELECT 1 FROM users WHERE photo = ${photo}`) !== undefined,

  deleteKeys: async (tx, id) => {
    const passkeys = await tx.run`DELETE FROM passkeys WHERE user_id = ${id}`
    return passkeys + (await tx.run`DELETE FROM access_tokens WHERE user_id = ${id}`)
  },
} satisfies Partial<Users>
