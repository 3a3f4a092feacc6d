import { hash, randomBytes, randomFillSync } from 'node:crypto'

/** Returns random bytes of the system's generator. Small requests are cheap: a pool is filled at once. */
export function random(bytes: number): Buffer {
  if (bytes > pool.length) return randomBytes(bytes)
  return fromPool(bytes, (from, to) => Buffer.from(pool.subarray(from, to)))
}

/** Makes something from the pool's next bytes, and clears them, so that no later bug can reuse them. */
function fromPool<Value>(bytes: number, make: (from: number, to: number) => Value): Value {
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const value = make(used, used + bytes)
  pool.fill(0, used, used + bytes)
  used += bytes
  return value
}

const pool = Buffer.alloc(4096)
let used = pool.length

/** Returns random bytes as base64. */
export function randomText(bytes: number): string {
  return fromPool(bytes, (from, to) => pool.toString('base64', from, to))
}

const letters = 'abcdefghijklmnopqrstuvwxyz234567'

/** Returns 26 random characters of lower-case base32, which is 130 bits (spec: Login). */
export function randomId(): string {
  return fromPool(26, (from, to) => {
    for (let at = from; at < to; at++) pool[at] = letters.charCodeAt((pool[at] ?? 0) & 31)
    return pool.toString('latin1', from, to)
  })
}

/** Returns whether a text from outside has the form of a random ID. */
export function isRandomId(text: string): boolean {
  return /^[a-z2-7]{26}$/.test(text)
}

/** Returns the SHA-256 of bytes, or of text as UTF-8. */
export function sha256(data: string | Uint8Array): Buffer {
  // `hash` takes three times as long for a Buffer. `alloc` uses no pooled memory: some hashes live long.
  const bytes = Buffer.alloc(32)
  bytes.write(hash('sha256', data, 'binary'), 'latin1')
  return bytes
}

/** Returns the SHA-256 of a text as UTF-8, in 44 characters of base64. */
export function sha256Text(data: string): string {
  return hash('sha256', data, 'base64')
}
