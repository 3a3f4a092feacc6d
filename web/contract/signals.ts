/** The argument of the platform's `signalAllAcceptedCredentials` (WebAuthn Level 3); IDs are base64url. */
export interface PasskeysSignal {
  readonly rpId: string
  readonly userId: string
  readonly allAcceptedCredentialIds: readonly string[]
}

/** The argument of the platform's `signalCurrentUserDetails`. */
export interface UserSignal {
  readonly rpId: string
  readonly userId: string
  readonly name: string
  readonly displayName: string
}
