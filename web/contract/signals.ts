/** What the platform's `signalAllAcceptedCredentials` takes (WebAuthn Level 3); IDs are base64url. */
export interface PasskeysSignal {
  readonly rpId: string
  readonly userId: string
  readonly allAcceptedCredentialIds: readonly string[]
}

/** What the platform's `signalCurrentUserDetails` takes. */
export interface UserSignal {
  readonly rpId: string
  readonly userId: string
  readonly name: string
  readonly displayName: string
}
