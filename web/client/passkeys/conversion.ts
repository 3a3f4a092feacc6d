type CreationOptions = PublicKeyCredentialCreationOptions
type RequestOptions = PublicKeyCredentialRequestOptions

/** Polyfills the platform's method of this name (WebAuthn 5.1.9). */
export function parseCreationOptionsFromJSON(
  json: PublicKeyCredentialCreationOptionsJSON,
): CreationOptions {
  const { challenge, user, excludeCredentials } = json
  const decoded = {
    challenge: bytes(challenge),
    user: { ...user, id: bytes(user.id) },
    excludeCredentials: excludeCredentials?.map(descriptor),
  }
  return { ...json, ...decoded } as CreationOptions
}

/** Polyfills the platform's method of this name (WebAuthn 5.1.10). */
export function parseRequestOptionsFromJSON(
  json: PublicKeyCredentialRequestOptionsJSON,
): RequestOptions {
  const { challenge, allowCredentials } = json
  const decoded = {
    challenge: bytes(challenge),
    allowCredentials: allowCredentials?.map(descriptor),
  }
  return { ...json, ...decoded } as RequestOptions
}

/** Polyfills a credential's own `toJSON` (WebAuthn 5.1). */
export function toJson(credential: PublicKeyCredential): unknown {
  const { id, type, authenticatorAttachment } = credential
  const response = credential.response as AuthenticatorAttestationResponse &
    AuthenticatorAssertionResponse
  return {
    id,
    rawId: id,
    type,
    authenticatorAttachment,
    clientExtensionResults: credential.getClientExtensionResults(),
    response: {
      clientDataJSON: text(response.clientDataJSON),
      attestationObject: text(response.attestationObject),
      transports: response.getTransports?.(),
      authenticatorData: text(response.authenticatorData),
      signature: text(response.signature),
      userHandle: text(response.userHandle),
    },
  }
}

function descriptor(json: PublicKeyCredentialDescriptorJSON) {
  return { ...json, id: bytes(json.id) }
}

function bytes(base64url: string): Uint8Array {
  const base64 = base64url.replaceAll('-', '+').replaceAll('_', '/')
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}

/** Returns undefined for a missing member: only an answer to `create` has an attestation, for example. */
function text(buffer: ArrayBuffer | null | undefined): string | undefined {
  if (!buffer) return undefined
  const base64 = btoa(String.fromCharCode(...new Uint8Array(buffer)))
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
}
