import { latestEnd, lifetimes } from '../lifetimes.ts'
import type { Keys, Purpose } from './keys.ts'

/** What a token can be made for: each has a lifetime of its own. */
type TokenPurpose = Extract<Purpose, keyof typeof lifetimes>

const macBytes = 16

/**
 * Makes a token that is stored nowhere: it states when it expires, and is signed over that and the fields
 * (spec: Tokens that are kept nowhere). `<expiry, base 36>.<16 bytes of the MAC>`, safe in the path of a URL.
 */
export function makeSignedToken(
  keys: Keys,
  purpose: TokenPurpose,
  { fields, endsAt }: { fields: readonly string[]; endsAt: Date },
): string {
  const expiry = Math.floor(endsAt.getTime() / 1000).toString(36)
  const mac = keys.sign(purpose, [expiry, ...fields]).subarray(0, macBytes)
  return `${expiry}.${mac.toString('base64url')}`
}

/** Returns when a token claims to expire; `checkSignedToken` checks whether that is true. */
export function endOfSignedToken(token: string): Date {
  return new Date(Number.parseInt(token, 36) * 1000)
}

/** Returns whether a token is for this purpose and these fields, under any of the keys, and still holds. */
export function checkSignedToken(
  keys: Keys,
  purpose: TokenPurpose,
  { fields, token, now }: { fields: readonly string[]; token: string; now: Date },
): boolean {
  const [, expiry = '', text = ''] = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{22})$/.exec(token) ?? []
  const mac = Buffer.from(text, 'base64url')
  // A token has one spelling: neither its expiry nor its MAC may be encoded in another way.
  if (mac.toString('base64url') !== text || mac.length !== macBytes) return false
  const seconds = Number.parseInt(expiry, 36)
  if (seconds.toString(36) !== expiry || now.getTime() >= seconds * 1000) return false
  if (seconds * 1000 > latestEnd(lifetimes[purpose], now).getTime()) return false
  return keys.verify(purpose, [expiry, ...fields], mac)
}
