/** The `data` of each kind of notification (spec: Notifications; contract: Names). */
export interface NotificationData {
  readonly 'password-changed': WithKeys
  readonly 'password-set': WithKeys
  readonly 'password-removed': Nothing
  /** `email`: the new one. */
  readonly 'email-changed': { readonly email: string }
  readonly 'two-factor-disabled': Nothing
  readonly 'passkey-added': { readonly name: string }
  readonly 'token-created': { readonly name: string }
  readonly 'new-login': {
    readonly browser: string | null
    readonly system: string | null
    readonly address: string
    /** How the person logged in, unless by password. */
    readonly by?: 'passkey'
  }
}

/** What became of the account's passkeys and API tokens; absent in rows of earlier versions. */
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
  /** The line for a kind that this version does not know. */
  readonly unknown: () => string
}
