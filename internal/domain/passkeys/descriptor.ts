import type { Passkey } from '../../db/passkeys.ts'

/** A passkey as it is named to a browser, which is to ask for it or not to make it again. */
export function descriptorOf({ credentialId, transports }: Passkey): {
  credentialId: Buffer
  transports: readonly string[]
} {
  return { credentialId, transports: JSON.parse(transports) as string[] }
}
