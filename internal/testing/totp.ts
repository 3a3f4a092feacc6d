import { createHmac } from 'node:crypto'

/**
 * Returns an authenticator app's code at this time: RFC 6238 implemented independently of the package we check with.
 */
export function codeAt(secret: string, time: Date): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(stepAt(time)))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const at = mac.readUInt8(19) & 15
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

export function stepAt(time: Date): number {
  return Math.floor(time.getTime() / 30_000)
}

/** Returns six digits that are right for no step near this time. */
export function wrongCodeAt(secret: string, time: Date): string {
  const near = [-2, -1, 0, 1, 2].map((step) => codeAt(secret, new Date(+time + step * 30_000)))
  const codes = new Set(['000000', '111111', '222222', '333333', '444444', '555555'])
  return Array.from(codes.difference(new Set(near)))
    .join()
    .slice(0, 6)
}

function bytesOf(base32: string): Buffer {
  const digits = Array.from(base32, (letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const bytes = digits.join('').match(/.{8}/g) ?? []
  return Buffer.from(bytes.map((bits) => Number.parseInt(bits, 2)))
}
