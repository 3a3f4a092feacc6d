import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cbor, coseKey } from '../../testing/authenticator.ts'
import type { Item } from '../../testing/authenticator.ts'
import { isSigned, readPublicKey } from './public-key.ts'

const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
const ed = generateKeyPairSync('ed25519').publicKey
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey
const ecJwk = ec.export({ format: 'jwk' })
const x = Buffer.from(ecJwk.x ?? '', 'base64url')
const y = Buffer.from(ecJwk.y ?? '', 'base64url')
const point = Buffer.from(ed.export({ format: 'jwk' }).x ?? '', 'base64url')
const modulus = Buffer.from(rsa.export({ format: 'jwk' }).n ?? '', 'base64url')
const exponent = Buffer.from([1, 0, 1])

test('an ES256, Ed25519 or RS256 key is read up to its end', () => {
  const keys = [ec, ed, rsa].map((key) => Buffer.concat([coseKey(key), Buffer.from('more')]))
  expect(keys.map((key) => readPublicKey(key)?.algorithm)).toEqual([-7, -8, -257])
  expect(keys.map((key) => readPublicKey(key)?.length)).toEqual(keys.map((key) => key.length - 4))
  expect(keys.map((key) => readPublicKey(key)?.key.equals(ec))).toEqual([true, false, false])
})

test('an RSA key must have 2,048 to 8,192 bits and an odd exponent over 1', () => {
  const long = Buffer.alloc(1024, 0xff)
  const good = [rsaKey(modulus), rsaKey(long), rsaKey(modulus, [3]), rsaKey(modulus, eight(0xff))]
  expect(read(good)).toEqual(good)
  const bad = [
    rsaKey(Buffer.alloc(64, 0xff)),
    rsaKey(Buffer.alloc(255, 0xff)),
    rsaKey(Buffer.alloc(256, 0x7f)),
    rsaKey(Buffer.alloc(1025, 0xff)),
    rsaKey(Buffer.concat([Buffer.alloc(1), modulus])),
    rsaKey(Buffer.alloc(256, 0xfe)),
    rsaKey(Buffer.alloc(0)),
    rsaKey(modulus, [1]),
    rsaKey(modulus, [0]),
    rsaKey(modulus, []),
    rsaKey(modulus, [1, 0, 2]),
    rsaKey(modulus, [0, 1, 0, 1]),
    rsaKey(modulus, [1, ...eight(1)]),
    rsaKey(modulus, exponent, -37),
    rsaKey(modulus, exponent, -7),
    rsaKey(modulus, exponent, -65_535),
  ]
  expect(read(bad)).toEqual([])
})

test('an ES256 key must be a point of P-256 in its canonical encoding', () => {
  const xOfZero = Buffer.from(fieldPrime.toString(16), 'hex')
  const bad = [
    ecKey(x, Buffer.concat([y.subarray(0, 31), Buffer.from([(y[31] ?? 0) ^ 1])])),
    ecKey(y, x),
    ecKey(Buffer.alloc(32), Buffer.alloc(32)),
    ecKey(Buffer.alloc(32, 0xff), y),
    // (0, √b) is on the curve, and the prime is another spelling of 0.
    ecKey(xOfZero, rootOfB),
    ecKey(x.subarray(1), y),
    ecKey(x, y.subarray(1)),
    ecKey(Buffer.concat([Buffer.alloc(1), x]), y),
    ecKey(Buffer.alloc(0), Buffer.alloc(0)),
  ]
  expect(read(bad)).toEqual([])
  expect(read([ecKey(Buffer.alloc(32), rootOfB)])).toHaveLength(1)
})

test('an Ed25519 key must be a canonical point of its curve and not of small order', () => {
  const bad = [
    // y = 2 has no x.
    edKey(littleEndian(2n)),
    // The points of order 1, 2, 4 and 8; those of 1 and 4 also with a sign.
    edKey(littleEndian(1n)),
    edKey(littleEndian(1n + (1n << 255n))),
    edKey(littleEndian(edPrime - 1n)),
    edKey(littleEndian(0n)),
    edKey(littleEndian(1n << 255n)),
    edKey(Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex')),
    edKey(Buffer.from('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'hex')),
    // y = 3 encoded as p + 3.
    edKey(littleEndian(edPrime + 3n)),
    edKey(Buffer.alloc(32, 0xff)),
    edKey(point.subarray(1)),
    edKey(Buffer.concat([point, Buffer.alloc(1)])),
    edKey(Buffer.alloc(57, 1)),
    edKey(Buffer.alloc(0)),
  ]
  expect(read(bad)).toEqual([])
  expect(read([edKey(littleEndian(3n))])).toHaveLength(1)
})

test('a key whose algorithm, key type and curve do not match is refused', () => {
  // oxfmt-ignore
  const bad = [
    [[1, 2], [3, -8], [-1, 1], [-2, x], [-3, y]],
    [[1, 2], [3, -35], [-1, 1], [-2, x], [-3, y]],
    [[1, 2], [3, -257], [-1, 1], [-2, x], [-3, y]],
    [[1, 2], [3, -7], [-1, 2], [-2, x], [-3, y]],
    [[1, 2], [3, -7], [-1, 8], [-2, x], [-3, y]],
    [[1, 1], [3, -7], [-1, 1], [-2, x], [-3, y]],
    [[1, 3], [3, -7], [-1, 1], [-2, x], [-3, y]],
    [[1, 1], [3, -7], [-1, 6], [-2, point]],
    [[1, 1], [3, -19], [-1, 6], [-2, point]],
    [[1, 1], [3, -8], [-1, 4], [-2, point]],
    [[1, 1], [3, -8], [-1, 7], [-2, point]],
    [[1, 2], [3, -8], [-1, 6], [-2, point]],
    [[1, 'OKP'], [3, -8], [-1, 'Ed25519'], [-2, point]],
    [[1, 4], [3, -7], [-1, x]],
    [[1, 3], [3, -8], [-1, modulus], [-2, exponent]],
  ] as const
  expect(read(bad.map((entries) => cbor(new Map<Item, Item>(entries))))).toEqual([])
})

test('a key in any but its canonical CBOR encoding is refused', () => {
  const key = coseKey(ec)
  // oxfmt-ignore
  const bad = [
    cbor(new Map<Item, Item>([[3, -7], [1, 2], [-1, 1], [-2, x], [-3, y]])),
    cbor(new Map<Item, Item>([[1, 2], [3, -7], [-1, 1], [-2, x], [-3, y], [-4, x]])),
    cbor(new Map<Item, Item>([[1, 2], [2, x], [3, -7], [-1, 1], [-2, x], [-3, y]])),
    cbor(new Map<Item, Item>([[1, 2], [3, -7], [-1, 1], [-2, x]])),
    // A repeated label, an indefinite-length map, a tag, and a number and a length longer than need be.
    Buffer.concat([Buffer.from([0xa6]), key.subarray(1), key.subarray(42)]),
    Buffer.concat([Buffer.from([0xbf]), key.subarray(1), Buffer.from([0xff])]),
    Buffer.concat([Buffer.from([0xc0]), key]),
    Buffer.concat([Buffer.from('a5180102', 'hex'), key.subarray(3)]),
    Buffer.concat([key.subarray(0, 8), Buffer.from([0x59, 0, 32]), key.subarray(10)]),
    key.subarray(0, 76),
    coseKey(ed).subarray(0, 41),
    coseKey(rsa).subarray(0, -1),
    coseKey(rsa).subarray(0, 10),
    // The truncated exponent would be valid.
    rsaKey(modulus, [3, 1, 1]).subarray(0, -1),
    // Text instead of bytes.
    Buffer.from(coseKey(rsa).with(8, 0x79)),
    cbor([1, 2, 3]),
    Buffer.alloc(0),
  ]
  expect(read(bad)).toEqual([])
})

test('a signature is valid only for its own key and data', () => {
  const [signer, other] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')]
  const data = Buffer.from('data')
  const signature = sign(null, data, signer.privateKey)
  const right = readPublicKey(coseKey(signer.publicKey))
  const wrong = readPublicKey(coseKey(other.publicKey))
  expect(right && isSigned(data, signature, right)).toBe(true)
  expect(right && isSigned(Buffer.from('date'), signature, right)).toBe(false)
  expect(right && isSigned(data, Buffer.alloc(0), right)).toBe(false)
  expect(wrong && isSigned(data, signature, wrong)).toBe(false)
})

const vectors = new URL('../../../../shared/vectors/', import.meta.url)

test.runIf(existsSync(vectors))('the shared signature test vectors are judged correctly', () => {
  const files = [
    'ecdsa_secp256r1_sha256_test.json',
    'ed25519_test.json',
    'rsa_signature_2048_sha256_test.json',
  ]
  expect(files.map(misjudged)).toEqual([[], [], []])
})

interface Known {
  readonly testGroups: readonly {
    readonly publicKeyDer: string
    readonly tests: readonly {
      readonly tcId: number
      readonly msg: string
      readonly sig: string
      readonly result: 'valid' | 'invalid' | 'acceptable'
    }[]
  }[]
}

/** Leaves out `acceptable`, which is what old signers produced: either answer is right. */
function misjudged(file: string): number[] {
  const known = JSON.parse(readFileSync(new URL(file, vectors), 'utf8')) as Known
  return known.testGroups.flatMap(({ publicKeyDer, tests }) => {
    const der = { key: hex(publicKeyDer), format: 'der', type: 'spki' } as const
    const key = readPublicKey(coseKey(createPublicKey(der)))
    return tests
      .filter(({ result }) => result !== 'acceptable')
      .filter(({ msg, sig, result }) => {
        const isRight = key !== undefined && isSigned(hex(msg), hex(sig), key)
        return isRight !== (result === 'valid')
      })
      .map(({ tcId }) => tcId)
  })
}

const fieldPrime = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n
const edPrime = 2n ** 255n - 19n
const rootOfB = hex('66485c780e2f83d72433bd5d84a06bb6541c2af31dae871728bf856a174f93f4')

function read(keys: readonly Buffer[]): Buffer[] {
  return keys.filter((key) => readPublicKey(key) !== undefined)
}

function ecKey(x: Buffer, y: Buffer): Buffer {
  return cbor(new Map<Item, Item>([[1, 2], [3, -7], [-1, 1], [-2, x], [-3, y]])) // oxfmt-ignore
}

function edKey(x: Buffer): Buffer {
  return cbor(new Map<Item, Item>([[1, 1], [3, -8], [-1, 6], [-2, x]])) // oxfmt-ignore
}

function rsaKey(n: Buffer, e: Iterable<number> = exponent, algorithm = -257): Buffer {
  return cbor(new Map<Item, Item>([[1, 3], [3, algorithm], [-1, n], [-2, Buffer.from([...e])]])) // oxfmt-ignore
}

function eight(byte: number): number[] {
  return Array.from({ length: 8 }, () => byte)
}

function littleEndian(value: bigint): Buffer {
  return Buffer.from(hex(value.toString(16).padStart(64, '0')).toReversed())
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex')
}
