import { appName } from '../../../web/contract/name.ts'
import { expect, test } from 'vitest'
import { base32Bytes, randomBits } from '../../testing/formats/random-bits.ts'
import { isAccessToken, makeAccessToken } from './access-token.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz234567'

test('an API token is the prefix and 52 lower-case base32 characters of 32 random bytes', () => {
  const tokens = Array.from({ length: 200 }, makeAccessToken)
  for (const token of tokens) expect(token).toMatch(new RegExp(`^${appName}_[a-z2-7]{52}$`))
  expect(new Set(tokens).size).toBe(200)
  const read = tokens.map((token) => base32Bytes(token.slice(appName.length + 1)))
  expect(randomBits(read)).toBe(256)
})

test('a text with another prefix, length or character is not an API token', () => {
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

test('an API token whose last character has unused bits set is refused', () => {
  const token = makeAccessToken()
  const spelled = letters.split('').filter((letter) => isAccessToken(token.slice(0, -1) + letter))
  expect(spelled).toEqual(['a', 'q'])
})
