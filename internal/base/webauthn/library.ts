import { algorithms } from './public-key.ts'
import type { Site } from './site.ts'

/*
 * The checks of @simplewebauthn/server, which come after ours and accept more (security rule 3). It is
 * imported when first needed, since that takes half as long as a whole start.
 */

/**
 * Returns the authenticator data inside an attestation object (WebAuthn 6.5.4); undefined if there is none.
 */
export async function attestedData(attestation: Buffer): Promise<Buffer | undefined> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const data: unknown = decodeAttestationObject(new Uint8Array(attestation)).get('authData')
    return data instanceof Uint8Array ? Buffer.from(data) : undefined
  } catch {
    // The bytes are untrusted: whatever error the decoder throws, they are no attestation object.
    return undefined
  }
}

interface Expected {
  readonly challenge: string
  readonly site: Site
}

/** Returns whether the library accepts a new passkey. It gets no attestation statement to verify. */
export async function acceptsCreation(
  answer: { id: Buffer; clientData: Buffer; authenticatorData: Buffer },
  { challenge, site }: Expected,
): Promise<boolean> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const id = answer.id.toString('base64url')
  const response = {
    clientDataJSON: answer.clientData.toString('base64url'),
    attestationObject: withoutStatement(answer.authenticatorData).toString('base64url'),
  }
  return accepts(() =>
    verifyRegistrationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      supportedAlgorithmIDs: [...algorithms],
    }),
  )
}

/** Returns whether the library accepts the answer of a passkey. */
export async function acceptsAssertion(
  answer: { id: Buffer; clientData: Buffer; authenticatorData: Buffer; signature: Buffer },
  { challenge, site }: Expected,
  passkey: { publicKey: Uint8Array; signCount: number },
): Promise<boolean> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const id = answer.id.toString('base64url')
  const response = {
    clientDataJSON: answer.clientData.toString('base64url'),
    authenticatorData: answer.authenticatorData.toString('base64url'),
    signature: answer.signature.toString('base64url'),
  }
  return accepts(() =>
    verifyAuthenticationResponse({
      response: { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: site.origin,
      expectedRPID: site.rpId,
      credential: {
        id,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.signCount,
      },
    }),
  )
}

async function accepts(check: () => Promise<{ verified: boolean }>): Promise<boolean> {
  try {
    return (await check()).verified
  } catch {
    // The library reports every fault by throwing.
    return false
  }
}

/** Wraps authenticator data in an attestation object of the format `none` (WebAuthn 8.7). */
function withoutStatement(authenticatorData: Buffer): Buffer {
  // {"fmt": "none", "attStmt": {}, "authData": bytes of a two-byte length}
  const beginning = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex')
  const length = Buffer.alloc(2)
  length.writeUInt16BE(authenticatorData.length)
  return Buffer.concat([beginning, length, authenticatorData])
}
