import { createPublicKey, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { isOnEd25519, isOnP256 } from './curves.ts'

/** The algorithms of passkeys, the preferred one first: Ed25519, ES256 and RS256 (RFC 9053, 8812). */
export const algorithms = [-8, -7, -257] as const

/** A checked key. */
interface PublicKey {
  readonly algorithm: (typeof algorithms)[number]
  readonly key: KeyObject
  /** The length of the COSE key in bytes. */
  readonly length: number
}

/**
 * Reads the COSE key at the start of bytes; returns undefined if no passkey may have it (spec: Passkeys). A
 * key has only one encoding (WebAuthn 6.5.1.1: CTAP2 canonical CBOR, and nothing optional). So all keys of
 * one algorithm have the same bytes around their numbers, and can be read without a CBOR decoder.
 */
export function readPublicKey(bytes: Buffer): PublicKey | undefined {
  return readEs256(bytes) ?? readEd25519(bytes) ?? readRs256(bytes)
}

/** Returns whether the key signed the data. Signatures have one encoding: DER for ES256 (WebAuthn 6.5.5). */
export function isSigned(data: Buffer, signature: Buffer, { algorithm, key }: PublicKey): boolean {
  return verify(algorithm === -8 ? null : 'sha256', data, key, signature)
}

// {1: 2, 3: -7, -1: 1, -2: 32 bytes, -3: 32 bytes}
const es256 = { x: Buffer.from('a5010203262001215820', 'hex'), y: Buffer.from('225820', 'hex') }

function readEs256(bytes: Buffer): PublicKey | undefined {
  const x = after(es256.x, bytes, 0, 32)
  const y = after(es256.y, bytes, 42, 32)
  if (!x || !y || !isOnP256(x, y)) return undefined
  return publicKey(-7, 77, { kty: 'EC', crv: 'P-256', x: text(x), y: text(y) })
}

// {1: 1, 3: -8, -1: 6, -2: 32 bytes}
const ed25519 = Buffer.from('a4010103272006215820', 'hex')

function readEd25519(bytes: Buffer): PublicKey | undefined {
  const x = after(ed25519, bytes, 0, 32)
  if (!x || !isOnEd25519(x)) return undefined
  return publicKey(-8, 42, { kty: 'OKP', crv: 'Ed25519', x: text(x) })
}

// {1: 3, 3: -257, -1: 256 to 1,024 bytes, -2: 1 to 8 bytes}
const rs256 = Buffer.from('a401030339010020', 'hex')

function readRs256(bytes: Buffer): PublicKey | undefined {
  if (!bytes.subarray(0, 8).equals(rs256) || bytes.length < 11 || bytes[8] !== 0x59)
    return undefined
  const exponentAt = 11 + bytes.readUInt16BE(9)
  const exponentBytes = (bytes[exponentAt + 1] ?? 0) - 0x40
  if (bytes[exponentAt] !== 0x21 || exponentBytes < 1 || exponentBytes > 8) return undefined
  const end = exponentAt + 2 + exponentBytes
  const modulus = bytes.subarray(11, exponentAt)
  const exponent = bytes.subarray(exponentAt + 2, end)
  if (bytes.length < end || !isModulus(modulus) || !isExponent(exponent)) return undefined
  return publicKey(-257, end, { kty: 'RSA', n: text(modulus), e: text(exponent) })
}

/** Accepts odd numbers, as products of odd primes are, of 2,048 to 8,192 bits (security rule 3). */
function isModulus(bytes: Buffer): boolean {
  const bits = bytes.length * 8 - Math.clz32(bytes[0] ?? 0) + 24
  return bytes[0] !== 0 && bits >= 2048 && bits <= 8192 && isOdd(bytes)
}

/** Accepts odd numbers over 1. OpenSSL verifies with no exponent over 64 bits. */
function isExponent(bytes: Buffer): boolean {
  return bytes[0] !== 0 && isOdd(bytes) && !(bytes.length === 1 && bytes[0] === 1)
}

function isOdd(bytes: Buffer): boolean {
  return ((bytes.at(-1) ?? 0) & 1) === 1
}

function after(beginning: Buffer, bytes: Buffer, at: number, length: number): Buffer | undefined {
  const from = at + beginning.length
  const isThere = bytes.subarray(at, from).equals(beginning) && bytes.length >= from + length
  return isThere ? bytes.subarray(from, from + length) : undefined
}

function text(bytes: Buffer): string {
  return bytes.toString('base64url')
}

function publicKey(algorithm: PublicKey['algorithm'], length: number, key: JsonWebKey): PublicKey {
  return { algorithm, length, key: createPublicKey({ key, format: 'jwk' }) }
}
