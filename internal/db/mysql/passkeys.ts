import { alike } from '../alike/passkeys.ts'
import type { Passkey, Passkeys } from '../passkeys.ts'
import type { Wrote } from './connection.ts'
import { unlessTaken } from './connection/unless-taken.ts'

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
    if (wrote?.matched !== 1) return undefined
    return tx.first<Passkey>`SELECT * FROM passkeys WHERE id = ${wrote.insertId}`
  },

  isGone: async (db, id) =>
    (await db.first`
      SELECT 1 FROM information_schema.tables
      WHERE table_schema = DATABASE() AND table_name = 'passkeys' AND auto_increment > ${id}
        AND NOT EXISTS (SELECT 1 FROM passkeys WHERE id = ${id})`) !== undefined,
}
