/** Whether a passkey is made or used. */
export type Ceremony = 'create' | 'get'

export type Made =
  /** The browser's answer, as JSON for the server. */
  | { readonly result: 'made'; readonly credential: unknown }
  /** The browser's error. */
  | { readonly result: 'failed'; readonly error: unknown }
  /** Aborted by us. */
  | { readonly result: 'stopped' }

interface How {
  readonly signal: AbortSignal
  /** `conditional`: offered in a field's autofill rather than in a dialog. */
  readonly mediation?: CredentialMediationRequirement
}

/** Makes the browser create or use a passkey, with the server's options. Never throws. */
export async function answerOf(ceremony: Ceremony, options: unknown, how: How): Promise<Made> {
  try {
    const credential = await requestCredential(ceremony, options, how)
    return { result: 'made', credential: await toJson(credential as PublicKeyCredential) }
  } catch (error) {
    return how.signal.aborted ? { result: 'stopped' } : { result: 'failed', error }
  }
}

async function requestCredential(
  ceremony: Ceremony,
  options: unknown,
  how: How,
): Promise<Credential | null> {
  // Loaded only in older browsers.
  const canParse = 'parseCreationOptionsFromJSON' in PublicKeyCredential
  const platform = canParse ? PublicKeyCredential : await import('./conversion.ts')
  if (ceremony === 'get') {
    const json = options as PublicKeyCredentialRequestOptionsJSON
    const publicKey = platform.parseRequestOptionsFromJSON(json)
    return navigator.credentials.get({ publicKey, ...how })
  }
  const json = options as PublicKeyCredentialCreationOptionsJSON
  const publicKey = platform.parseCreationOptionsFromJSON(json)
  return navigator.credentials.create({ publicKey, ...how })
}

async function toJson(credential: PublicKeyCredential): Promise<unknown> {
  try {
    return credential.toJSON()
  } catch {
    // There is no `toJSON`, or a password manager has replaced the credential with one whose `toJSON` throws.
    const { toJson } = await import('./conversion.ts')
    return toJson(credential)
  }
}
