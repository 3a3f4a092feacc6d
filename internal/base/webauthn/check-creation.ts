import { isCredentialId, readCreation } from './answer.ts'
import {
  judgeAuthenticatorData,
  readAuthenticatorData,
  readCredential,
} from './authenticator-data.ts'
import { isChallenge, judgeClientData } from './client-data.ts'
import type { ExpectedClientData } from './client-data.ts'
import { acceptsCreation, attestedData } from './library.ts'
import { readPublicKey } from './public-key.ts'
import type { AnswerFault } from './answer-fault.ts'

export interface CreatedPasskey {
  readonly credentialId: Buffer
  /** COSE. */
  readonly publicKey: Buffer
  readonly signCount: number
  /** 16 bytes that name the model of the authenticator, or zeros. Unproven: there is no attestation. */
  readonly aaguid: Buffer
  readonly transports: readonly string[]
  readonly backupEligible: boolean
  readonly backedUp: boolean
}

/**
 * Checks a browser's answer to a request to make a passkey (spec: Passkeys; security rule 3). Does not check
 * whether another account has the credential ID: the table refuses it.
 */
export async function checkCreation(
  answer: unknown,
  { challenge, site }: ExpectedClientData,
): Promise<{ created: CreatedPasskey } | { refused: AnswerFault }> {
  if (!isChallenge(challenge)) return { refused: 'challenge' }
  const creation = readCreation(answer)
  if (!creation) return { refused: 'malformed' }
  const { id, clientData, attestation, transports } = creation
  const wrongly = judgeClientData(clientData, 'webauthn.create', { challenge, site })
  if (wrongly) return { refused: wrongly }
  const authenticatorData = await attestedData(attestation)
  const data = authenticatorData && readAuthenticatorData(authenticatorData)
  if (!data) return { refused: 'malformed' }
  const unfit = judgeAuthenticatorData(data, site)
  if (unfit) return { refused: unfit }
  const credential = data.hasCredential ? readCredential(data.rest) : undefined
  if (!credential) return { refused: 'malformed' }
  if (!isCredentialId(id) || !credential.id.equals(id)) return { refused: 'credential' }
  const key = readPublicKey(credential.keyAndExtensions)
  if (!key) return { refused: 'key' }
  const publicKey = credential.keyAndExtensions.subarray(0, key.length)
  // If there are extensions, the library reads them, and refuses bytes after them.
  const isMore = credential.keyAndExtensions.length > publicKey.length
  if (isMore !== data.hasExtensions) return { refused: 'malformed' }
  const accepted = await acceptsCreation({ id, clientData, authenticatorData }, { challenge, site })
  if (!accepted) return { refused: 'library' }
  const { signCount, backupEligible, backedUp } = data
  const { aaguid } = credential
  return {
    created: {
      credentialId: id,
      publicKey,
      signCount,
      aaguid,
      transports,
      backupEligible,
      backedUp,
    },
  }
}
