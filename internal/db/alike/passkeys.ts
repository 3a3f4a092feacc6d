import type { Passkey, Passkeys } from '../passkeys.ts'

/** Statements that run on every database. */
export const alike = {
  ofUser: (db, userId) =>
    db.all<Passkey>`SELECT * FROM passkeys WHERE user_id = ${userId} ORDER BY id`,

  byCredentialId: (db, credentialId) =>
    db.first<Passkey>`SELECT * FROM passkeys WHERE credential_id = ${credentialId}`,

  rename: async (db, { userId, id, name }) =>
    (await db.run`
      UPDATE passkeys SET name = ${name} WHERE id = ${id} AND user_id = ${userId}`) === 1,

  use: async (tx, { id, signCount, backedUp, at }) =>
    (await tx.run`
      UPDATE passkeys SET sign_count = ${signCount}, backed_up = ${backedUp}, last_used_at = ${at}
      WHERE id = ${id} AND (sign_count < ${signCount} OR sign_count + ${signCount} = 0)`) === 1,

  // The derived table is there because some databases cannot otherwise read the table they delete from.
  delete: async (tx, { userId, id }) =>
    (await tx.run`
      DELETE FROM passkeys
      WHERE id = ${id} AND user_id = ${userId} AND (
        EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND password_hash <> '')
        OR EXISTS (
          SELECT 1 FROM (
            SELECT id FROM passkeys WHERE user_id = ${userId} AND id <> ${id} LIMIT 1) AS others))`) ===
    1,
} satisfies Partial<Passkeys>
