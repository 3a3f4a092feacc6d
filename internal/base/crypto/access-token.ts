import { appName } from '../../../web/contract/name.ts'
import { random } from './random.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz234567'
const prefix = `${appName}_`
// 256 bits in letters of five bits each: the last letter holds one bit and four zeros, so it is `a` or `q`.
const form = new RegExp(`^${prefix}[a-z2-7]{51}[aq]$`)

/**
 * Makes an API token of 32 random bytes: `<app_name>_` and 52 letters of lower-case base32 (spec: API token).
 */
export function makeAccessToken(): string {
  let text = prefix
  let bits = 0
  let held = 0
  for (const byte of random(32)) {
    held = ((held << 8) | byte) & 0xfff
    for (bits += 8; bits >= 5; bits -= 5) text += letters[(held >> (bits - 5)) & 31]
  }
  return text + letters[(held << (5 - bits)) & 31]
}

/**
 * Returns whether a text from outside has the prefix, length and letters of an API token (spec: API tokens).
 */
export function isAccessToken(text: string): boolean {
  return form.test(text)
}
