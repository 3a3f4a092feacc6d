import { alike } from '../alike/passkeys.ts'
import { returning } from '../alike/returning/passkeys.ts'
import type { Passkey, Passkeys } from '../passkeys.ts'

export const passkeys: Passkeys = {
  ...alike,
  ...returning,

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

  // The sequence holds the highest ID ever assigned. Not read as a table, for which USAGE is not enough.
  isGone: async (db, id) =>
    (await db.first`
      SELECT 1
      WHERE pg_sequence_last_value('passkeys_id_seq'::regclass) >= ${id}
        AND NOT EXISTS (SELECT 1 FROM passkeys WHERE id = ${id})`) !== undefined,
}
