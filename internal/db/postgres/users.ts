import { alike } from '../alike/users.ts'
import { returning } from '../alike/returning/users.ts'
import type { ListedUser, User, Users } from '../users.ts'
import { unlessTaken } from './connection/unless-taken.ts'

export const users: Users = {
  ...alike,
  ...returning,

  insert: (tx, { name, email, emailKey, passwordHash, at }) => tx.first<User>`
    INSERT INTO users (name, email, email_key, password_hash, created_at)
    VALUES (${name}, ${email}, ${emailKey}, ${passwordHash}, ${at})
    ON CONFLICT DO NOTHING
    RETURNING *`,

  hold: (tx, id) => tx.first<User>`SELECT * FROM users WHERE id = ${id} FOR UPDATE`,

  find: (db, { after, before, like, most }) =>
    db.all<Pick<User, 'id' | 'name' | 'email'>>`
      SELECT id, name, email FROM users
      WHERE id > ${after} AND id < ${before} AND (
        email COLLATE "C" ILIKE ${like} ESCAPE '!'
        OR email_key ILIKE ${like} ESCAPE '!'
        OR name COLLATE "C" ILIKE ${like} ESCAPE '!')
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
      WHERE u.id IN (SELECT value::bigint FROM json_array_elements_text(${JSON.stringify(ids)}) AS value)
      ORDER BY u.id DESC`,

  // `unlessTaken` too: of two users who take an email at once, both see it as free.
  updateProfile: (tx, { id, name, email, emailKey }) =>
    unlessTaken(
      tx,
      () => tx.first<User>`
        UPDATE users SET
          name = ${name},
          email = ${email},
          email_key = ${emailKey},
          email_verified_at = CASE WHEN email_key = ${emailKey} THEN email_verified_at END
        WHERE id = ${id}
          AND NOT EXISTS (SELECT 1 FROM users WHERE email_key = ${emailKey} AND id <> ${id})
        RETURNING *`,
    ),
}
