import { isIPv4 } from 'node:net'
import { isTrustable } from '../network/address.ts'
import { judgeEmail } from '../email.ts'
import { shortIPv6 } from '../network/ipv6.ts'
import type { SupportAddress } from './config.ts'

/** The type of a setting: how its text is read, and what to tell a person if it cannot be read. */
export interface SettingType<Value> {
  /** A whole sentence that says what to write. */
  readonly must: string
  /** Returns undefined if the text, which is never empty, is not of this type. */
  read(text: string): Value | undefined
}

export function wholeNumber(least: number, most: number): SettingType<number> {
  const must =
    most === Number.MAX_SAFE_INTEGER
      ? `Write a whole number, ${least} or more.`
      : `Write a whole number from ${least} to ${most}.`
  return {
    must,
    read: (text) => {
      const number = /^\d{1,16}$/.test(text) ? Number(text) : -1
      return number >= least && number <= most ? number : undefined
    },
  }
}

export function oneOf<Word extends string>(
  ...words: readonly [Word, ...Word[]]
): SettingType<Word> {
  return {
    must: `Write ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`,
    read: (text) => words.find((word) => word === text),
  }
}

export const yesOrNo: SettingType<boolean> = {
  must: 'Write true or false.',
  read: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
}

export const anyText: SettingType<string> = { must: 'Write some text.', read: (text) => text }

export const origin: SettingType<string> = {
  must: 'Write http:// or https:// and a host, with no path, query, user or password.',
  read: (text) => {
    const url = /^https?:\/\/[^/?#\\@\s]+\/?$/i.test(text) ? URL.parse(text) : null
    return url && isHost(url.hostname.replace(/^\[(.*)\]$/, '$1')) ? url.origin : undefined
  },
}

export const origins: SettingType<readonly string[]> = list(
  origin,
  'Write whole origins with commas between them, each http:// or https:// and a host, with no path and no *.',
)

/** A URL with at most a path, without a trailing slash. */
export const webAddress: SettingType<string> = {
  must: 'Write http:// or https://, a host and at most a path.',
  read: (text) => {
    const url = /^https?:\/\/[^/?#\\@\s]+(?:\/[^?#\\@\s]*)?$/i.test(text) ? URL.parse(text) : null
    return url ? url.href.replace(/\/+$/, '') : undefined
  },
}

export const host: SettingType<string> = {
  must: 'Write the name or address of a host, with no port and no brackets.',
  read: (text) => (isHost(text) ? text : undefined),
}

function isHost(text: string): boolean {
  const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?'
  const name = new RegExp(`^(?!.{254})${label}(?:\\.${label})*$`, 'i')
  if (text.includes(':')) return shortIPv6(text) !== undefined
  return /^[\d.]+$/.test(text) ? isIPv4(text) : name.test(text)
}

/** The name of a bucket, which stands before its server's host or in the path after it. */
export const bucket: SettingType<string> = {
  must: 'Write the name of a bucket: 3 to 63 letters, digits, dots and dashes.',
  read: (text) => (/^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i.test(text) ? text : undefined),
}

export const region: SettingType<string> = {
  must: 'Write the name of a region, such as eu-central-1.',
  read: (text) => (/^[a-z0-9-]{1,40}$/i.test(text) ? text : undefined),
}

export const key: SettingType<Buffer> = {
  must: 'Write base64: and then 32 random bytes in base64.',
  read: (text) => {
    const base64 = /^base64:([A-Za-z0-9+/]{43}=)$/.exec(text)?.[1] ?? ''
    const bytes = Buffer.from(base64, 'base64')
    return bytes.length === 32 && bytes.toString('base64') === base64 ? bytes : undefined
  },
}

export const keys: SettingType<readonly Buffer[]> = list(
  key,
  'Write keys as in APP_KEY, with commas between them.',
)

export const proxies: SettingType<readonly string[]> = list(
  { must: '', read: (text) => (isTrustable(text) ? text : undefined) },
  'Write addresses, ranges such as 10.0.0.0/8, loopback or private, with commas between them.',
)

export const databaseFile: SettingType<string> = {
  must: 'Write the path of a file, such as accounts.db: no folder, no address that begins with file:, no space at either end, and not :memory:, which would lose every account.',
  read: (text) => (/^:memory:$|^file:|[/\\]$|^\s|\s$/i.test(text) ? undefined : text),
}

export const sender: SettingType<string> = {
  must: 'Write one address, such as accounts@example.com. The name goes in MAIL_FROM_NAME.',
  // In a private network the sender's domain may have no dot: `.test` is added only for this check.
  read: (text) => (judgeEmail(text.replace(/@([a-z0-9-]+)$/i, '@$1.test')) ? undefined : text),
}

const wholeAddress = /^https?:\/\/[^/?#\\@\s]+(?:[/?#][^\\\s]*)?$/i

/** A page anywhere on the web. */
export const webPage: SettingType<string> = {
  must: 'Write a whole address that begins with https:// or http://. A path alone leads nowhere from a mail.',
  read: (text) => (wholeAddress.test(text) ? URL.parse(text)?.href : undefined),
}

export const support: SettingType<SupportAddress> = {
  must: 'Write an email address, such as help@example.com, or the whole address of a page, such as https://example.com/help.',
  read: (text) => {
    const page = webPage.read(text)
    if (page !== undefined) return { text: page, href: page }
    if (judgeEmail(text)) return undefined
    return { text, href: `mailto:${encodeURIComponent(text).replace('%40', '@')}` }
  },
}

/** Makes the type of a comma-separated list whose items are of this type. */
function list<Value>(itemType: SettingType<Value>, must: string): SettingType<readonly Value[]> {
  return {
    must,
    read: (text) => {
      const parts = text.split(',').map((part) => part.trim())
      const values = parts.filter((part) => part !== '').map((part) => itemType.read(part))
      return values.some((value) => value === undefined) ? undefined : (values as Value[])
    },
  }
}
