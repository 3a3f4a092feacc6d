import { alike } from '../alike/passkeys.ts'
import type { Passkey, Passkeys } from '../passkeys.ts'
import type { Wrote } from './connection.ts'
import { unlessTaken } from './unless-taken.ts'

export const passkeys: Passkeys = {
  ...alike,

  handle: async (db, { userId, handle }) => {
    await db.run`
      UPDATE users SET passkey_handle = coalesce(passkey_handle, ${handle}) WHERE id = ${userId}`
    const user = await db.first<{ passkeyHandle: Buffer }>`
      SELECT passkey_handle FROM users WHERE id = ${userId}`
    return user?.passkeyHandle
  },

  insert: async (tx, { most, ...passkey }) => {
    const { userId, credentialId, publicKey, signCount, name, aaguid, transports } = passkey
    const wrote = await unlessTaken(
      tx.first<Wrote>`
        INSERT INTO passkeys
          (user_id, credential_id, public_key, sign_count, name, aaguid, transports,
            backup_eligible, backed_up, created_at)
        SELECT
          ${userId}, ${credentialId}, ${publicKey}, ${signCount}, ${name}, ${aaguid}, ${transports},
          ${passkey.backupEligible}, ${passkey.backedUp}, ${passkey.at}
        WHERE (SELECT count(*) FROM passkeys WHERE user_id = ${userId}) < ${most}`,
    )
    if (wrote?.found !== 1) return undefined
    return tx.first<Passkey>`SELECT * FROM passkeys WHERE id = ${wrote.insertId}`
  },

  use: async (tx, { id, signCount, backedUp, at }) =>
    (await tx.run`
      UPDATE passkeys SET sign_count = ${signCount}, backed_up = ${backedUp}, last_used_at = ${at}
      WHERE id = ${id} AND (sign_count < ${signCount} OR (sign_count = 0 AND ${signCount} = 0))`) ===
    1,

  // MySQL reads the table that it deletes from in a derived table only.
  delete: async (tx, { userId, id }) =>
    (await tx.run`
      DELETE FROM passkeys
      WHERE id = ${id} AND user_id = ${userId} AND (
        EXISTS (SELECT 1 FROM users WHERE id = ${userId} AND password_hash <> '')
        OR EXISTS (
          SELECT 1 FROM (
            SELECT id FROM passkeys WHERE user_id = ${userId} AND id <> ${id} LIMIT 1) AS others))`) ===
    1,

  isGone: async (db, id) =>
    (await db.first`
      SELECT 1 FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name = 'passkeys' AND auto_increment > ${id}
        AND NOT EXISTS (SELECT 1 FROM passkeys WHERE id = ${id})`) !== undefined,
}
