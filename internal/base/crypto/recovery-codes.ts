import { timingSafeEqual } from 'node:crypto'
import { withoutSeparators } from '../text/typed-code.ts'
import { random, sha256 } from './random.ts'

// Letters and digits that are not taken for one another: no 0, o, 1 or l.
const characters = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Eight codes of ten random characters, which is 50 bits: `xxxxx-xxxxx` (spec: Other formats). */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: 8 }, newCode)
}

function newCode(): string {
  const code = Array.from(random(10), (byte) => characters[byte & 31]).join('')
  return `${code.slice(0, 5)}-${code.slice(5)}`
}

/**
 * The codes that remain once the typed one is used, or undefined when it is none of them. Case, spaces and dash
 * count for nothing; how long it takes tells nothing of the codes (spec: Two-factor).
 */
export function without(codes: readonly string[], typed: string): string[] | undefined {
  const wanted = digest(typed)
  // Every code is compared, even after one matched: the time must not tell which.
  const remaining = codes.filter((code) => !timingSafeEqual(digest(code), wanted))
  return remaining.length < codes.length ? remaining : undefined
}

/** A hash, since `timingSafeEqual` takes equal lengths only, whatever was typed. */
function digest(code: string): Buffer {
  return sha256(withoutSeparators(code.toLowerCase()))
}
