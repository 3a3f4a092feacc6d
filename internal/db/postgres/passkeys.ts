import { alike } from '../alike/passkeys.ts'
import type { Passkey, Passkeys } from '../passkeys.ts'

export const passkeys: Passkeys = {
  ...alike,

  handle: async (db, { userId, handle }) => {
    const user = await db.first<{ passkeyHandle: Buffer }>`
      UPDATE users SET passkey_handle = coalesce(passkey_handle, ${handle})
      WHERE id = ${userId}
      RETURNING passkey_handle`
    return user?.passkeyHandle
  },

  insert: (
    tx,
    {
      userId,
      credentialId,
      publicKey,
      signCount,
      name,
      aaguid,
      transports,
      backupEligible,
      backedUp,
      at,
      most,
    },
  ) => tx.first<Passkey>`
    INSERT INTO passkeys
      (user_id, credential_id, public_key, sign_count, name, aaguid, transports,
        backup_eligible, backed_up, created_at)
    SELECT
      ${userId}::bigint, ${credentialId}, ${publicKey}, ${signCount}::bigint, ${name}, ${aaguid}, ${transports},
        ${backupEligible}, ${backedUp}, ${at}
    WHERE (SELECT count(*) FROM passkeys WHERE user_id = ${userId}) < ${most}
    ON CONFLICT (credential_id) DO NOTHING
    RETURNING *`,

  use: async (tx, { id, signCount, backedUp, at }) =>
    (await tx.run`
      UPDATE passkeys SET sign_count = ${signCount}, backed_up = ${backedUp}, last_used_at = ${at}
      WHERE id = ${id} AND (sign_count < ${signCount} OR (sign_count = 0 AND ${signCount}::bigint = 0))`) ===
    1,

  delete: async (tx, { userId, id }) =>
    (await tx.run`
      DELETE FROM passkeys
      WHERE id = ${id} AND user_id = ${userId} AND (
        EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND password_hash <> '')
        OR EXISTS (SELECT 1 FROM passkeys WHERE user_id = ${userId} AND id <> ${id}))`) === 1,

  // The sequence has the highest ID that ever was.
  isGone: async (db, id) =>
    (await db.first`
      SELECT 1 FROM passkeys_id_seq
      WHERE is_called AND last_value >= ${id}
        AND NOT EXISTS (SELECT 1 FROM passkeys WHERE id = ${id})`) !== undefined,
}
