/** A browser's answer to a request to make a passkey, decoded and not yet checked. */
interface Creation {
  readonly id: Buffer
  readonly clientData: Buffer
  readonly attestation: Buffer
  readonly transports: readonly string[]
}

/** A browser's answer to a request for a passkey, decoded and not yet checked. */
interface Assertion {
  readonly id: Buffer
  readonly clientData: Buffer
  readonly authenticatorData: Buffer
  readonly signature: Buffer
  /** The user handle; undefined: the answer names no user. */
  readonly handle: Buffer | undefined
}

/** Reads the JSON of a `RegistrationResponseJSON` (WebAuthn 5.1); returns undefined if it is none. */
export function readCreation(answer: unknown): Creation | undefined {
  const id = idOf(answer)
  const response = fieldsOf(fieldsOf(answer)?.response)
  const clientData = bytesOf(response?.clientDataJSON)
  const attestation = bytesOf(response?.attestationObject)
  const transports = transportsOf(response?.transports)
  if (!id || !clientData || !attestation || !transports) return undefined
  return { id, clientData, attestation, transports }
}

/** Reads the JSON of an `AuthenticationResponseJSON` (WebAuthn 5.1); returns undefined if it is none. */
export function readAssertion(answer: unknown): Assertion | undefined {
  const id = idOf(answer)
  const response = fieldsOf(fieldsOf(answer)?.response)
  const clientData = bytesOf(response?.clientDataJSON)
  const authenticatorData = bytesOf(response?.authenticatorData)
  const signature = bytesOf(response?.signature)
  const named = response?.userHandle ?? undefined
  const handle = bytesOf(named)
  if (!id || !clientData || !authenticatorData || !signature) return undefined
  if (named !== undefined && !handle) return undefined
  return { id, clientData, authenticatorData, signature, handle }
}

/** Returns the credential ID in an answer, to find its passkey by; undefined if no passkey can have it. */
export function credentialIdOf(answer: unknown): Buffer | undefined {
  const id = idOf(answer)
  return id && isCredentialId(id) ? id : undefined
}

/** Returns the client data of an answer, of either ceremony; undefined if it has none. */
export function clientDataOf(answer: unknown): Buffer | undefined {
  return bytesOf(fieldsOf(fieldsOf(answer)?.response)?.clientDataJSON)
}

/** Returns whether bytes may be the ID of a credential (security rule 3). */
export function isCredentialId(id: Uint8Array): boolean {
  return id.length >= 16 && id.length <= 1023
}

function idOf(answer: unknown): Buffer | undefined {
  const fields = fieldsOf(answer)
  if (fields?.type !== 'public-key' || fields.id !== fields.rawId) return undefined
  return bytesOf(fields.id)
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  return value as Readonly<Record<string, unknown>>
}

const longestText = 65_536

/** Decodes base64url, of which only one spelling is accepted: no padding, no stray characters or bits. */
function bytesOf(value: unknown): Buffer | undefined {
  if (typeof value !== 'string' || value === '' || value.length > longestText) return undefined
  const bytes = Buffer.from(value, 'base64url')
  return bytes.toString('base64url') === value ? bytes : undefined
}

const mostTransports = 10

/** Accepts any short words, since browsers add new ones (WebAuthn 5.8.4); none if the browser sends none. */
function transportsOf(value: unknown): readonly string[] | undefined {
  if (value === undefined || value === null) return []
  if (!Array.isArray(value) || value.length > mostTransports) return undefined
  const words = value.filter(isTransport)
  return words.length === value.length ? [...new Set(words)] : undefined
}

function isTransport(value: unknown): value is string {
  return typeof value === 'string' && /^[a-z0-9-]{1,32}$/.test(value)
}
