import type { Passkeys } from '../../passkeys.ts'

/** Statements for databases that have RETURNING. */
export const returning = {
  handle: async (db, { userId, handle }) => {
    const user = await db.first<{ passkeyHandle: Buffer }>`
      UPDATE users SET passkey_handle = coalesce(passkey_handle, ${handle})
      WHERE id = ${userId}
      RETURNING passkey_handle`
    return user?.passkeyHandle
  },
} satisfies Partial<Passkeys>
