/** What each kind of notification tells of, as its `data` holds it (spec: Notifications; contract: Names). */
export interface NotificationData {
  readonly 'password-changed': Nothing
  readonly 'password-set': Nothing
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
  }
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
