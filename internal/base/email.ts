import { domainToASCII, domainToUnicode } from 'node:url'
import { longestEmail } from '../../web/contract/limits.ts'
import { storable } from './text/storable.ts'

/**
 * Returns the key by which an email is unique, looked up and throttled (security rule 13); mail is never sent
 * to it. A text longer than any email is its own key: normalising 64 KiB of accents blocks for a second.
 */
export function emailKey(email: string): string {
  const text = storable(email)
  if (text.length > 2 * longestEmail) return text
  const at = text.lastIndexOf('@') + 1
  const local = foldCase(text.slice(0, at))
  const domain = text.slice(at)
  // Some browsers send a domain in ASCII, however it was typed (UTS 46): it is the same domain.
  const ascii = at > 0 && /[^\0-\x7f]/.test(domain) ? domainToASCII(domain) : ''
  return local + (ascii || foldCase(domain))
}

/**
 * Returns an email as people write it: a browser may send its domain in ASCII, however it was typed (UTS 46).
 */
export function emailWritten(email: string): string {
  const text = email.normalize('NFC')
  const at = text.lastIndexOf('@') + 1
  const domain = text.slice(at).toLowerCase()
  if (!domain.includes('xn--')) return text
  const unicode = domainToUnicode(domain)
  // A domain that would be encoded as another one, or makes no valid email (`i❤.ws`), stays as it came.
  const isSame = domainToASCII(unicode) === domain && isDomain(unicode)
  return isSame ? text.slice(0, at) + unicode : text
}

/** Returns one spelling for all texts that differ only in case or in how accents are encoded. */
export function foldCase(text: string): string {
  // Lower-casing can decompose letters (`İ`), so they are composed again.
  const lower = text.normalize('NFC').toLowerCase().normalize('NFC')
  // Both have the same capital: which of them `toLowerCase` makes of it depends on what follows.
  return lower.replaceAll('ς', 'σ')
}

/**
 * Returns what is wrong with an email, or undefined: `emailLong` over `longestEmail`, `email` if it is not
 * one mailbox address at a domain name (RFC 5321 and 6531, without quotes, comments and address literals). It
 * is judged as stored, too: `emailWritten` turns some letters into several.
 */
export function judgeEmail(text: string): 'email' | 'emailLong' | undefined {
  const start = text.slice(0, 2 * longestEmail + 1)
  const normalized = start.normalize('NFC')
  if ([start, normalized].some((spelling) => Array.from(spelling).length > longestEmail))
    return 'emailLong'
  const [local = '', domain = '', ...extra] = normalized.split('@')
  return extra.length === 0 && isLocalPart(local) && isDomain(domain) ? undefined : 'email'
}

function isLocalPart(text: string): boolean {
  // Letters, marks and digits of any script; in ASCII also what RFC 5322 allows without quotes. Compiled
  // inside the function: outside it, each start would load the tables of all scripts.
  const localPart =
    /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
  // Some mail programs would read an encoded word (RFC 2047) as another address.
  return localPart.test(text) && !text.includes('=?') && Buffer.byteLength(text) <= 64
}

const asciiDomain =
  /^(?!.{254})([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])$/

function isDomain(text: string): boolean {
  const domainLabels = /^[\p{L}\p{M}\p{Nd}-]+(\.[\p{L}\p{M}\p{Nd}-]+)+$/u
  return domainLabels.test(text) && asciiDomain.test(domainToASCII(text))
}
