/** What each kind of notification tells of, as its `data` holds it (spec: Notifications; contract: Names). */
export interface NotificationData {
  readonly 'password-changed': WithKeys
  readonly 'password-set': WithKeys
  readonly 'password-removed': Nothing
  /** The new one. */
  readonly 'email-changed': { readonly email: string }
  readonly 'two-factor-disabled': Nothing
  readonly 'passkey-added': { readonly name: string }
  readonly 'token-created': { readonly name: string }
  readonly 'new-login': {
    readonly browser: string | null
    readonly system: string | null
    readonly address: string
    /** What it was made with, unless that was the password. */
    readonly by?: 'passkey'
  }
}

/** What became of the passkeys and API tokens; an earlier version did not tell. */
interface WithKeys {
  readonly keys?: 'kept' | 'removed'
}

type Nothing = Readonly<Record<string, never>>

export type NotificationKind = keyof NotificationData

/** The line of each kind in one language. */
export type KindLines = {
  readonly [Kind in NotificationKind]: (data: NotificationData[Kind]) => string
}

export interface Lines extends KindLines {
  /** Of a kind that this version does not know. */
  readonly unknown: () => string
}
