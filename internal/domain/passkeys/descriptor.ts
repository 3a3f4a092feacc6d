import type { Passkey } from '../../db/passkeys.ts'

/** A passkey as a browser is told of it: to be asked for, or not to be made again. */
export function descriptorOf({ credentialId, transports }: Passkey): {
  credentialId: Buffer
  transports: readonly string[]
} {
  return { credentialId, transports: JSON.parse(transports) as string[] }
}
