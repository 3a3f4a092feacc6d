import { type FixedRouteName, paths } from '../../../web/contract/paths.ts'
import type {
  NotificationData,
  NotificationKind,
} from '../../../web/contract/notification-lines.ts'

/** A notification of some kind, with its data. */
export type Notice = {
  [Kind in NotificationKind]: { readonly kind: Kind; readonly data: NotificationData[Kind] }
}[NotificationKind]

/** Where a notification's line and mail link to. */
interface LinkTarget<Data> {
  /** The page: the name of its route, or a function that makes its path from the data. */
  readonly page: FixedRouteName | ((data: Data) => string)
  /** The section of that page where the user can act on it: an element's ID in the page. */
  readonly section: string
}

/** One kind: the checks of its data. Line and mail are in `lines` and `notice-mails` of each language. */
interface Row<Data> extends LinkTarget<Data> {
  readonly data: { readonly [Field in keyof Data]-?: (value: unknown) => value is Data[Field] }
}

/** Every kind of notification (spec: Notifications). */
// oxfmt-ignore
export const kinds: { readonly [Kind in NotificationKind]: Row<NotificationData[Kind]> } = {
  'password-changed':    { data: { keys: isKeysOrAbsent }, page: 'security.edit', section: 'password-panel' },
  'password-set':        { data: { keys: isKeysOrAbsent }, page: 'security.edit', section: 'password-panel' },
  'password-removed':    { data: {}, page: 'security.edit', section: 'password-panel' },
  // The security page is closed to an unverified email; the profile is not.
  'email-changed':       { data: { email: isText }, page: 'profile.edit', section: 'details' },
  'two-factor-disabled': { data: {}, page: 'security.edit', section: 'two-factor' },
  'passkey-added':       { data: { name: isText }, page: 'security.edit', section: 'passkeys' },
  'token-created':       { data: { name: isText }, page: 'tokens.index', section: 'tokens' },
  'new-login':           { data: { browser: isTextOrNull, system: isTextOrNull, address: isText, by: isPasskeyOrAbsent }, page: 'security.edit', section: 'logins' },
}

/** Reads a stored notification; returns undefined if this version does not know its kind or data. */
export function readNotice({ kind, data }: { kind: string; data: string }): Notice | undefined {
  if (!Object.hasOwn(kinds, kind)) return undefined
  const fields: unknown = JSON.parse(data)
  if (typeof fields !== 'object' || fields === null) return undefined
  const checks = Object.entries(kinds[kind as NotificationKind].data)
  const fits = checks.every(([field, isOfKind]) => isOfKind((fields as Fields)[field]))
  return fits ? ({ kind, data: fields } as Notice) : undefined
}

/** Returns where the user can act on a stored notification, and the address that a login came from. */
export function leadOf(stored: { kind: string; data: string }): {
  readonly href: string | null
  readonly address: string | null
} {
  const notice = readNotice(stored)
  if (!notice) return { href: null, address: null }
  return {
    href: placeOf(notice),
    address: notice.kind === 'new-login' ? notice.data.address : null,
  }
}

/** Returns the path of the page, with its section. */
export function placeOf<Kind extends NotificationKind>({
  kind,
  data,
}: { kind: Kind; data: NotificationData[Kind] } & Notice): string {
  return pathTo(kinds[kind], data)
}

export function pathTo<Data>({ page, section }: LinkTarget<Data>, data: Data): string {
  const path = typeof page === 'function' ? page(data) : paths[page]
  return `${path}#${section}`
}

type Fields = Readonly<Record<string, unknown>>

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isKeysOrAbsent(value: unknown): value is NotificationData['password-set']['keys'] {
  return value === undefined || value === 'kept' || value === 'removed'
}

function isPasskeyOrAbsent(value: unknown): value is NotificationData['new-login']['by'] {
  return value === undefined || value === 'passkey'
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value)
}
