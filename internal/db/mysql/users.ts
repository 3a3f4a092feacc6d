import type { Tx } from '../db.ts'
import { alike } from '../alike/users.ts'
import type { ListedUser, User, Users } from '../users.ts'
import type { Wrote } from './connection.ts'
import { unlessTaken } from './connection/unless-taken.ts'

export const users: Users = {
  ...alike,

  insert: async (tx, { name, email, emailKey, passwordHash, at }) => {
    const wrote = await unlessTaken(
      tx.first<Wrote>`
        INSERT INTO users (name, email, email_key, password_hash, created_at)
        VALUES (${name}, ${email}, ${emailKey}, ${passwordHash}, ${at})`,
    )
    return wrote && users.byId(tx, wrote.insertId)
  },

  hold: (tx, id) => tx.first<User>`SELECT * FROM users WHERE id = ${id} FOR UPDATE`,

  find: (db, { after, before, like, most }) =>
    db.all<Pick<User, 'id' | 'name' | 'email'>>`
      SELECT id, name, email FROM users
      WHERE id > ${after} AND id < ${before} AND (
        email COLLATE utf8mb4_0900_as_ci LIKE ${like} ESCAPE '!'
        OR email_key COLLATE utf8mb4_0900_as_ci LIKE ${like} ESCAPE '!'
        OR name COLLATE utf8mb4_0900_as_ci LIKE ${like} ESCAPE '!')
      ORDER BY id DESC LIMIT ${most}`,

  list: (db, ids) =>
    db.all<ListedUser>`
      SELECT u.id, u.name, u.email, u.email_verified_at, u.created_at,
        u.two_factor_secret IS NOT NULL AS two_factor,
        u.password_hash <> '' AS password,
        (SELECT count(*) FROM passkeys WHERE user_id = u.id) AS passkeys,
        (SELECT max(last_seen_at) FROM logins WHERE user_id = u.id) AS last_visit_at,
        (SELECT max(last_login_at) FROM browsers WHERE user_id = u.id) AS last_login_at
      FROM users u
      WHERE u.id IN (
        SELECT id FROM JSON_TABLE(${JSON.stringify(ids)}, '$[*]' COLUMNS (id BIGINT PATH '$')) AS ids)
      ORDER BY u.id DESC`,

  reset: async (tx, { id, emailKey, from, changes, to, at }) =>
    changed(
      tx,
      id,
      tx.run`
        UPDATE users SET
          password_hash = ${to},
          password_changes = password_changes + 1,
          email_verified_at = coalesce(email_verified_at, ${at})
        WHERE id = ${id} AND email_key = ${emailKey}
          AND password_hash = ${from} AND password_changes = ${changes}`,
    ),

  // Columns are set in the order in which they are written: whether the email is verified depends on the old email.
  updateProfile: async (tx, { id, name, email, emailKey }) => {
    const wrote = await unlessTaken(
      tx.first<Wrote>`
        UPDATE users SET
          email_verified_at = CASE WHEN email_key = ${emailKey} THEN email_verified_at END,
          name = ${name},
          email = ${email},
          email_key = ${emailKey}
        WHERE id = ${id}`,
    )
    return wrote && users.byId(tx, id)
  },

  setPassword: (tx, { id, from, to }) =>
    changed(
      tx,
      id,
      tx.run`
        UPDATE users SET password_hash = ${to}, password_changes = password_changes + 1
        WHERE id = ${id} AND password_hash = ${from}`,
    ),

  removePassword: (tx, { id, from }) =>
    changed(
      tx,
      id,
      tx.run`
        UPDATE users SET password_hash = '', password_changes = password_changes + 1
        WHERE id = ${id} AND password_hash = ${from}
          AND EXISTS (SELECT 1 FROM passkeys WHERE user_id = ${id})`,
    ),

  delete: async (tx, { id, from }) => {
    const user = await tx.first<User>`
      SELECT * FROM users WHERE id = ${id} AND password_hash = ${from} FOR UPDATE`
    if (user) await tx.run`DELETE FROM users WHERE id = ${id}`
    return user
  },
}

/** Returns the user after a change; undefined if the change matched no row. */
async function changed(tx: Tx, id: number, change: Promise<number>): Promise<User | undefined> {
  return (await change) === 1 ? users.byId(tx, id) : undefined
}
