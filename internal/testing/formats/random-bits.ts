const letters = 'abcdefghijklmnopqrstuvwxyz234567'

/** Decodes base32 without padding, in either case (RFC 4648). Bits that fill no byte are dropped. */
export function base32Bytes(text: string): Uint8Array {
  const bits = Array.from(text.toLowerCase(), (letter) =>
    letters.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const octets = bits.join('').match(/.{8}/g) ?? []
  return Uint8Array.from(octets, (octet) => Number.parseInt(octet, 2))
}

/**
 * Returns how many bit positions have both values among these: all, if they are random and there are about a hundred.
 * The values must have equal length.
 */
export function randomBits(values: readonly Uint8Array[]): number {
  const lengths = new Set(values.map(({ length }) => length))
  const [length, ...others] = lengths
  if (length === undefined || others.length > 0)
    throw new Error(`The values have ${[...lengths].join(' and ')} bytes.`)
  let random = 0
  for (let at = 0; at < length; at++) {
    const ones = values.reduce((seen, bytes) => seen | (bytes[at] ?? 0), 0)
    const zeros = values.reduce((seen, bytes) => seen | ~(bytes[at] ?? 0), 0)
    random += (ones & zeros & 0xff).toString(2).replaceAll('0', '').length
  }
  return random
}
