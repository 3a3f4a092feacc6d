import type {
  NotificationData,
  NotificationKind,
} from '../../../web/contract/notification-lines.ts'

/** A notification of some kind, with its data. */
export type Notice = {
  [Kind in NotificationKind]: { readonly kind: Kind; readonly data: NotificationData[Kind] }
}[NotificationKind]

/** One kind: the data it holds. Its line and its mail stand under its name in `lines` and `notice-mails` of each language. */
interface Row<Data> {
  readonly data: { readonly [Field in keyof Data]-?: (value: unknown) => value is Data[Field] }
  /** The page that the mail leads to. */
  readonly page: 'security.edit' | 'profile.edit' | 'tokens.index'
}

/** Every kind of notification (spec: Notifications). */
// oxfmt-ignore
export const kinds: { readonly [Kind in NotificationKind]: Row<NotificationData[Kind]> } = {
  'password-changed':    { data: { keys: isKeysOrAbsent }, page: 'security.edit' },
  'password-set':        { data: { keys: isKeysOrAbsent }, page: 'security.edit' },
  'password-removed':    { data: {}, page: 'security.edit' },
  // The security page is closed to an email that is not verified yet, the profile is not.
  'email-changed':       { data: { email: isText }, page: 'profile.edit' },
  'two-factor-disabled': { data: {}, page: 'security.edit' },
  'passkey-added':       { data: { name: isText }, page: 'security.edit' },
  'token-created':       { data: { name: isText }, page: 'tokens.index' },
  'new-login':           { data: { browser: isTextOrNull, system: isTextOrNull, address: isText }, page: 'security.edit' },
}

/** The notification of a kind and data as they are stored, or undefined: this version knows no such kind or data. */
export function readNotice({ kind, data }: { kind: string; data: string }): Notice | undefined {
  if (!Object.hasOwn(kinds, kind)) return undefined
  const fields: unknown = JSON.parse(data)
  if (typeof fields !== 'object' || fields === null) return undefined
  const checks = Object.entries(kinds[kind as NotificationKind].data)
  const fits = checks.every(([field, isOfKind]) => isOfKind((fields as Fields)[field]))
  return fits ? ({ kind, data: fields } as Notice) : undefined
}

type Fields = Readonly<Record<string, unknown>>

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isKeysOrAbsent(value: unknown): value is NotificationData['password-set']['keys'] {
  return value === undefined || value === 'kept' || value === 'removed'
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value)
}
