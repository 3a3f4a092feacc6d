import { alike } from '../alike/users.ts'
import { returning } from '../alike/returning/users.ts'
import type { ListedUser, User, Users } from '../users.ts'

export const users: Users = {
  ...alike,
  ...returning,

  insert: (tx, { name, email, emailKey, passwordHash, at }) => tx.first<User>`
    INSERT INTO users (name, email, email_key, password_hash, created_at)
    VALUES (${name}, ${email}, ${emailKey}, ${passwordHash}, ${at})
    ON CONFLICT (email_key) DO NOTHING
    RETURNING *`,

  hold: (tx, id) => tx.first<User>`SELECT * FROM users WHERE id = ${id}`,

  find: (db, { after, before, like, most }) =>
    db.all<Pick<User, 'id' | 'name' | 'email'>>`
      SELECT id, name, email FROM users
      WHERE id > ${after} AND id < ${before} AND (
        email LIKE ${like} ESCAPE '!' OR email_key LIKE ${like} ESCAPE '!' OR name LIKE ${like} ESCAPE '!')
      ORDER BY id DESC LIMIT ${most}`,

  // A subquery of one column keeps that column's type; `max()` has none.
  list: async (db, ids) => {
    const rows = await db.all<ListedUser & { factor: number; hash: number }>`
      SELECT u.id, u.name, u.email, u.email_verified_at, u.created_at,
        u.two_factor_secret IS NOT NULL AS factor,
        u.password_hash <> '' AS hash,
        (SELECT count(*) FROM passkeys WHERE user_id = u.id) AS passkeys,
        (SELECT last_seen_at FROM logins
          WHERE user_id = u.id ORDER BY last_seen_at DESC LIMIT 1) AS last_visit_at,
        (SELECT last_login_at FROM browsers
          WHERE user_id = u.id ORDER BY last_login_at DESC LIMIT 1) AS last_login_at
      FROM users u
      WHERE u.id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))
      ORDER BY u.id DESC`
    return rows.map(({ factor, hash, ...user }) => {
      return { ...user, twoFactor: factor === 1, password: hash === 1 }
    })
  },

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
}
