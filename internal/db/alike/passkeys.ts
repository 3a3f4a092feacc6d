import type { Passkey, Passkeys } from '../passkeys.ts'

/** In words that every database understands. */
export const alike = {
  ofUser: (db, userId) =>
    db.all<Passkey>`SELECT * FROM passkeys WHERE user_id = ${userId} ORDER BY id`,

  byCredentialId: (db, credentialId) =>
    db.first<Passkey>`SELECT * FROM passkeys WHERE credential_id = ${credentialId}`,

  rename: async (db, { userId, id, name }) =>
    (await db.run`
      UPDATE passkeys SET name = ${name} WHERE id = ${id} AND user_id = ${userId}`) === 1,
} satisfies Partial<Passkeys>
