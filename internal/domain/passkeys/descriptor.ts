import type { Passkey } from '../../db/passkeys.ts'

/** Returns the descriptor of a passkey, by which a browser asks for it or excludes it from creation. */
export function descriptorOf({ credentialId, transports }: Passkey): {
  credentialId: Buffer
  transports: readonly string[]
} {
  return { credentialId, transports: JSON.parse(transports) as string[] }
}
