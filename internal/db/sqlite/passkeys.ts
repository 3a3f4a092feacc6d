import type { Passkey, Passkeys } from '../passkeys.ts'

export const passkeys: Passkeys = {
  ofUser: (db, userId) =>
    db.all<Passkey>`
      SELECT id, name, created_at, last_used_at FROM passkeys
      WHERE user_id = ${userId}
      ORDER BY id`,
}
