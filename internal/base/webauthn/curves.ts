/**
 * Returns whether both coordinates are those of a point of P-256, which excludes the zero point (FIPS 186-5).
 */
export function isOnP256(xBytes: Uint8Array, yBytes: Uint8Array): boolean {
  const x = bigEndian(xBytes)
  const y = bigEndian(yBytes)
  if (x >= p256 || y >= p256) return false
  return mod(y * y - (x * x * x - 3n * x + b256), p256) === 0n
}

/**
 * Returns whether the 32 bytes are a point of edwards25519 in its one encoding (RFC 8032, 5.1.3), and none of
 * the eight of small order: under those, signatures can be made without a key.
 */
export function isOnEd25519(bytes: Uint8Array): boolean {
  const encoded = bigEndian(bytes.toReversed())
  const y = encoded & ~sign
  if (y >= p25519) return false
  const xSquared = xSquaredOf(y)
  const isSquare = power(xSquared, (p25519 - 1n) / 2n, p25519) === 1n
  // Where x is 0 the order is 1 or 2.
  return isSquare && doubledY(doubledY(doubledY(y))) !== 1n
}

const p256 = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const b256 = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn
const p25519 = 2n ** 255n - 19n
// -121665 / 121666, as RFC 8032, 5.1, states it.
const d25519 = 37095705934669439343138083508754565189542113879843219016388785533085940283555n
const sign = 1n << 255n

/** From −x² + y² = 1 + dx²y². */
function xSquaredOf(y: bigint): bigint {
  return mod((y * y - 1n) * inverse(d25519 * y * y + 1n), p25519)
}

/** Returns the y of the doubled point, which does not depend on the sign of x. */
function doubledY(y: bigint): bigint {
  const xSquared = xSquaredOf(y)
  return mod((y * y + xSquared) * inverse(2n + xSquared - y * y), p25519)
}

function inverse(value: bigint): bigint {
  return power(mod(value, p25519), p25519 - 2n, p25519)
}

function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  for (let square = base, rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}

function mod(value: bigint, modulus: bigint): bigint {
  const rest = value % modulus
  return rest < 0n ? rest + modulus : rest
}

function bigEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
}
