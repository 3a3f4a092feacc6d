import type { User, Users } from '../../users.ts'

/** Statements for databases that have RETURNING. */
export const returning = {
  reset: (tx, { id, emailKey, from, changes, to, at }) => tx.first<User>`
    UPDATE users SET
      password_hash = ${to},
      password_changes = password_changes + 1,
      email_verified_at = coalesce(email_verified_at, ${at})
    WHERE id = ${id} AND email_key = ${emailKey}
      AND password_hash = ${from} AND password_changes = ${changes}
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

  delete: (tx, { id, from }) =>
    tx.first<User>`DELETE FROM users WHERE id = ${id} AND password_hash = ${from} RETURNING *`,
} satisfies Partial<Users>
