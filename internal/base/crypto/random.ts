import { hash, randomBytes, randomFillSync } from 'node:crypto'

/** Random bytes of the system's generator. A few at a time cost little: they come from a pool filled at once. */
export function random(bytes: number): Buffer {
  if (bytes > pool.length) return randomBytes(bytes)
  if (used + bytes > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const taken = Buffer.from(pool.subarray(used, used + bytes))
  // What was given out is not kept, so that no later fault can give it out again.
  pool.fill(0, used, used + bytes)
  used += bytes
  return taken
}

const pool = Buffer.alloc(4096)
let used = pool.length

const letters = 'abcdefghijklmnopqrstuvwxyz234567'

/** 26 random characters of lower-case base32, which is 130 bits (spec: Login). */
export function randomId(): string {
  const id = random(26)
  id.forEach((byte, at) => (id[at] = letters.charCodeAt(byte & 31)))
  return id.toString('latin1')
}

/** Whether a text from outside could be one of them. */
export function isRandomId(text: string): boolean {
  return /^[a-z2-7]{26}$/.test(text)
}

/** SHA-256 of bytes, or of text as UTF-8. */
export function sha256(data: string | Uint8Array): Buffer {
  return hash('sha256', data, 'buffer')
}
