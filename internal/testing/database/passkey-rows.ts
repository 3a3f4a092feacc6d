import { keyOf } from './user-rows.ts'
import { noon } from './database.ts'
import type { NewPasskey } from '../../db/passkeys.ts'

/** Returns a passkey row without an authenticator, recognizable by its name. */
export function newPasskey(userId: number, name = 'a passkey'): NewPasskey {
  return {
    userId,
    credentialId: keyOf(name),
    publicKey: Buffer.from('a key'),
    signCount: 0,
    name,
    aaguid: Buffer.alloc(16),
    transports: '[]',
    backupEligible: false,
    backedUp: false,
    at: noon,
  }
}
