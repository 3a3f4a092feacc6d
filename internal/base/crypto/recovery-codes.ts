import { timingSafeEqual } from 'node:crypto'
import { withoutSeparators } from '../text/typed-code.ts'
import { random, sha256 } from './random.ts'

// Letters and digits that are not mistaken for one another: no 0, o, 1 or l.
const characters = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Makes eight codes of ten random characters, which is 50 bits: `xxxxx-xxxxx` (spec: Other formats). */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: 8 }, newCode)
}

function newCode(): string {
  const code = Array.from(random(10), (byte) => characters[byte & 31]).join('')
  return `${code.slice(0, 5)}-${code.slice(5)}`
}

/**
 * Returns the codes left once the typed one is used, or undefined if it is none of them. Ignores case, spaces
 * and dash; the time it takes reveals nothing about the codes (spec: Two-factor).
 */
export function without(codes: readonly string[], typed: string): string[] | undefined {
  const typedDigest = digest(typed)
  // Every code is compared, even after a match: the time must not reveal which.
  const remaining = codes.filter((code) => !timingSafeEqual(digest(code), typedDigest))
  return remaining.length < codes.length ? remaining : undefined
}

/** Returns a hash, since `timingSafeEqual` accepts only equal lengths, whatever was typed. */
function digest(code: string): Buffer {
  return sha256(withoutSeparators(code.toLowerCase()))
}
