import { appName } from '../../../web/contract/name.ts'
import { expect, test } from 'vitest'
import { isAccessToken, makeAccessToken } from './access-token.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz234567'

test('an API token is the prefix and 52 lower-case letters of base32, from 32 bytes', () => {
  const tokens = Array.from({ length: 200 }, makeAccessToken)
  for (const token of tokens) expect(token).toMatch(new RegExp(`^${appName}_[a-z2-7]{52}$`))
  expect(new Set(tokens).size).toBe(200)
  // Each bit of the 32 bytes is used: read back, both values of each are there.
  const read = tokens.map((token) => bytesOf(token.slice(appName.length + 1)))
  expect(read.every(({ length }) => length === 32)).toBe(true)
  for (let at = 0; at < 32; at++) {
    expect(read.reduce((seen, bytes) => seen | (bytes[at] ?? 0), 0)).toBe(0xff)
    expect(read.reduce((seen, bytes) => seen & (bytes[at] ?? 0), 0xff)).toBe(0)
  }
})

test('what has another prefix, length or letter is no API token', () => {
  const token = makeAccessToken()
  const others = [
    '',
    token.slice(0, -1),
    `${token}a`,
    token.toUpperCase(),
    `-${token.slice(1)}`,
    token.replace(`${appName}_`, ''),
    `${token.slice(0, -2)}1${token.slice(-1)}`,
    `${token}\n`,
    ` ${token}`,
  ]
  expect([token, ...others].map(isAccessToken)).toEqual([true, ...others.map(() => false)])
})

test('an API token has one spelling', () => {
  const token = makeAccessToken()
  const spelled = letters.split('').filter((letter) => isAccessToken(token.slice(0, -1) + letter))
  expect(spelled).toEqual(['a', 'q'])
})

function bytesOf(text: string): number[] {
  const bits = text.split('').map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0'))
  const octets = bits.join('').slice(0, 256).match(/.{8}/g) ?? []
  return octets.map((octet) => Number.parseInt(octet, 2))
}
