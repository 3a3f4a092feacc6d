import { lifetimes } from '../lifetimes.ts'
import { algorithms } from './public-key.ts'

/** A passkey that may answer a request, or that a creation excludes since it exists already. */
interface PasskeyDescriptor {
  readonly credentialId: Uint8Array
  readonly transports: readonly string[]
}

const timeout = lifetimes.passkeyChallenge

/**
 * Returns what `PublicKeyCredential.parseCreationOptionsFromJSON` takes to make a passkey: one that can be
 * found without an email, verifies the user each time, and comes without attestation (security rule 3).
 * `challenge` is in base64url.
 */
export function creationOptions({
  rpId,
  rpName,
  user,
  challenge,
  exclude,
}: {
  rpId: string
  rpName: string
  user: { handle: Uint8Array; name: string; displayName: string }
  challenge: string
  exclude: readonly PasskeyDescriptor[]
}): PublicKeyCredentialCreationOptionsJSON {
  const { handle, name, displayName } = user
  return {
    rp: { id: rpId, name: rpName },
    user: { id: text(handle), name, displayName },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout,
    excludeCredentials: exclude.map(descriptor),
    authenticatorSelection: {
      residentKey: 'required',
      // For browsers of WebAuthn Level 1, which do not know `residentKey`.
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}

/**
 * Returns what `PublicKeyCredential.parseRequestOptionsFromJSON` takes to ask for a passkey: one of `allow`,
 * or any of the site if that is left out, as for a login. `challenge` is in base64url.
 */
export function requestOptions({
  rpId,
  challenge,
  allow = [],
}: {
  rpId: string
  challenge: string
  allow?: readonly PasskeyDescriptor[]
}): PublicKeyCredentialRequestOptionsJSON {
  return {
    rpId,
    challenge,
    timeout,
    allowCredentials: allow.map(descriptor),
    userVerification: 'required',
  }
}

function descriptor({
  credentialId,
  transports,
}: PasskeyDescriptor): PublicKeyCredentialDescriptorJSON {
  return { type: 'public-key', id: text(credentialId), transports: [...transports] }
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url')
}
