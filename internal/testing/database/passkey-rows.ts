import { keyOf } from './user-rows.ts'
import { noon } from './database.ts'
import type { NewPasskey } from '../../db/passkeys.ts'

/** A row of a passkey that no authenticator has; its name tells it from others. */
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
