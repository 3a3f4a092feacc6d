import { brandName } from '../../../web/brand/brand.ts'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeAt, stepAt } from '../../testing/totp.ts'
import { base32Bytes, randomBits } from '../../testing/formats/random-bits.ts'
import { newSecret, otpauthLink, stepOf } from './totp.ts'

/** RFC 6238, appendix B: SHA-1, the last six of the eight digits. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
// oxfmt-ignore
const vectors = [
  { unix: 59,             step: 0x1,       code: '287082' },
  { unix: 1_111_111_109,  step: 0x23523ec, code: '081804' },
  { unix: 1_111_111_111,  step: 0x23523ed, code: '050471' },
  { unix: 1_234_567_890,  step: 0x273ef07, code: '005924' },
  { unix: 2_000_000_000,  step: 0x3f940aa, code: '279037' },
  { unix: 20_000_000_000, step: 0x27bc86aa, code: '353130' },
]
const noon = new Date('2026-11-21T12:00:00Z')

function secondsFrom(time: Date, seconds: number): Date {
  return new Date(time.getTime() + seconds * 1000)
}

test('codes match the test vectors of RFC 6238', () => {
  const steps = vectors.map(({ unix, code }) => stepOf(secret, code, new Date(unix * 1000)))
  expect(steps).toEqual(vectors.map(({ step }) => step))
})

const shared = join(import.meta.dirname, '../../../../shared/vectors/rfc6238.json')

test.skipIf(!existsSync(shared))(
  'codes match the shared test vectors of RFC 6238 and RFC 4226',
  () => {
    const file = JSON.parse(readFileSync(shared, 'utf8')) as {
      secret_base32: string
      digits8: { unix: number; T: string; totp6: string }[]
      rfc4226_hotp6: { counts: string[] }
    }
    const totp = file.digits8.map(({ unix, totp6 }) =>
      stepOf(file.secret_base32, totp6, new Date(unix * 1000)),
    )
    const { counts } = file.rfc4226_hotp6
    const hotp = counts.map((code, i) => stepOf(file.secret_base32, code, new Date(i * 30_000)))
    expect(totp).toEqual(file.digits8.map(({ T }) => Number.parseInt(T, 16)))
    expect(hotp).toEqual(counts.map((_, i) => i))
  },
)

test('a code is accepted in its own step and one either side, and its own step is returned', () => {
  const code = codeAt(secret, noon)
  const step = stepAt(noon)
  const steps = [-31, -30, -1, 0, 29, 30, 59, 60].map((seconds) =>
    stepOf(secret, code, secondsFrom(noon, seconds)),
  )
  expect(steps).toEqual([undefined, step, step, step, step, step, step, undefined])
})

test('only six ASCII digits are accepted as a code', () => {
  const code = codeAt(secret, noon)
  const fullWidth = code.replace(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit)))
  const typed = [
    fullWidth,
    ` ${code}`,
    `${code}\n`,
    `${code.slice(0, 3)} ${code.slice(3)}`,
    code.slice(1),
    `0${code}`,
    '',
    'abcdef',
    '-12345',
    '٣٣٣٣٣٣',
  ]
  expect(typed.map((text) => stepOf(secret, text, noon))).toEqual(typed.map(() => undefined))
})

test('a code of another secret is refused', () => {
  const other = newSecret()
  expect(stepOf(secret, codeAt(other, noon), noon)).toBe(undefined)
  expect(stepOf(other, codeAt(other, noon), noon)).toBe(stepAt(noon))
})

test('a secret is 160 random bits in base32', () => {
  const secrets = Array.from({ length: 100 }, newSecret)
  expect(secrets.filter((secret) => !/^[A-Z2-7]{32}$/.test(secret))).toEqual([])
  expect(randomBits(secrets.map(base32Bytes))).toBe(160)
})

test('the otpauth link has the encoded issuer and email, and the secret', () => {
  const link = otpauthLink({ secret, email: 'a+b%&#?é@x.test' })
  const url = new URL(link)
  expect(
    link.startsWith(
      `otpauth://totp/${encodeURIComponent(brandName)}:a%2Bb%25%26%23%3F%C3%A9%40x.test?`,
    ),
  ).toBe(true)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    issuer: brandName,
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})
