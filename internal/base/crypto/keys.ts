import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  timingSafeEqual,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { random } from './random.ts'

/** What a key is for. A value sealed or signed for one purpose is not valid for another. */
export type Purpose =
  | 'session'
  | 'form'
  | 'reset'
  | 'verification'
  | 'registration'
  | 'photo'
  | 'totp'
  | 'recovery'

/** Seals and signs under keys derived from APP_KEY, one per purpose (HKDF-SHA256, RFC 5869). */
export interface Keys {
  /**
   * Seals with AES-256-GCM under the first key, as URL-safe text. `context` says what the value belongs to
   * (`totp:7`): it opens only with the same one.
   */
  seal(purpose: Purpose, context: string, text: string): string
  /** Opens a sealed value with whichever key fits; undefined if none does. `stale`: it was not the first. */
  open(
    purpose: Purpose,
    context: string,
    sealed: string,
  ): { text: string; stale: boolean } | undefined
  /** Returns the HMAC-SHA256 of the length-prefixed fields under the first key. */
  sign(purpose: Purpose, fields: readonly string[]): Buffer
  /** Returns whether a key made this MAC, or its first bytes (at least 16), of the fields. Constant-time. */
  verify(purpose: Purpose, fields: readonly string[], mac: Uint8Array): boolean
}

const nonceBytes = 12
const tagBytes = 16
const leastMacBytes = 16

/** Makes a service's keys. `keys` are 32 bytes each: the first seals and signs, all open and verify. */
export function makeKeys(keys: readonly [Buffer, ...Buffer[]]): Keys {
  const first = derive(keys[0])
  const derived = [first, ...keys.slice(1).map(derive)]
  return {
    seal: (purpose, context, text) => seal(first('seal', purpose), context, text),
    open: (purpose, context, sealed) => {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < nonceBytes + tagBytes) return undefined
      // Decoding ignores stray characters: without this check a value would have many spellings.
      if (bytes.toString('base64url') !== sealed) return undefined
      for (const key of derived) {
        const text = open(key('seal', purpose), context, bytes)
        if (text !== undefined) return { text, stale: key !== first }
      }
      return undefined
    },
    sign: (purpose, fields) => sign(first('sign', purpose), fields),
    verify: (purpose, fields, mac) =>
      mac.length >= leastMacBytes &&
      mac.length <= 32 &&
      derived.some((key) =>
        timingSafeEqual(sign(key('sign', purpose), fields).subarray(0, mac.length), mac),
      ),
  }
}

type Derived = (use: 'seal' | 'sign', purpose: Purpose) => KeyObject

/** Derives a key for each use when it is first needed, and caches it: every request needs some. */
function derive(key: Buffer): Derived {
  const cache = new Map<string, KeyObject>()
  return (use, purpose) => {
    const info = `${use} ${purpose}`
    const cached = cache.get(info)
    if (cached) return cached
    const derived = createSecretKey(Buffer.from(hkdfSync('sha256', key, '', info, 32)))
    cache.set(info, derived)
    return derived
  }
}

/** Returns the length of a text once it is sealed, in characters. */
export function sealedLength(text: string): number {
  return Math.ceil(((nonceBytes + Buffer.byteLength(text) + tagBytes) * 4) / 3)
}

function seal(key: KeyObject, context: string, text: string): string {
  const nonce = random(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  cipher.setAAD(Buffer.from(context))
  const body = cipher.update(text, 'utf8')
  cipher.final()
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url')
}

function open(key: KeyObject, context: string, sealed: Buffer): string | undefined {
  const nonce = sealed.subarray(0, nonceBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(sealed.subarray(-tagBytes))
  const text = decipher.update(sealed.subarray(nonceBytes, -tagBytes)).toString('utf8')
  try {
    decipher.final()
    return text
  } catch {
    // Node reports a wrong tag only by throwing: this key did not seal it, or it was altered.
    return undefined
  }
}

function sign(key: KeyObject, fields: readonly string[]): Buffer {
  const mac = createHmac('sha256', key)
  for (const field of fields) {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(Buffer.byteLength(field))
    mac.update(length).update(field)
  }
  return mac.digest()
}
