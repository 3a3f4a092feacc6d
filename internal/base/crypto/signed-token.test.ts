import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeKeys } from './keys.ts'
import { checkSignedToken, makeSignedToken } from './signed-token.ts'

const now = new Date('2026-11-21T12:00:00Z')
const endsAt = new Date('2026-11-21T13:00:00Z')
const fields = ['7', 'ann@x.test']
const old = randomBytes(32)
const keys = makeKeys([old])
const token = makeSignedToken(keys, 'verification', { fields, endsAt })

test('a signed token is its expiry in base 36 and 16 bytes of the MAC in URL-safe base64', () => {
  expect(token).toMatch(/^[0-9a-z]+\.[A-Za-z0-9_-]{22}$/)
  expect(Number.parseInt(token, 36)).toBe(endsAt.getTime() / 1000)
})

test('a signed token is valid until its expiry and no longer', () => {
  const times = ['2026-11-21T12:59:59.999Z', '2026-11-21T13:00:00Z']
  const held = times.map((time) =>
    checkSignedToken(keys, 'verification', { fields, token, now: new Date(time) }),
  )
  expect(held).toEqual([true, false])
})

test('a signed token of one purpose is invalid for another', () => {
  expect(checkSignedToken(keys, 'reset', { fields, token, now })).toBe(false)
})

test('a signed token is invalid for other fields or for the same text split differently', () => {
  const others = [['8', 'ann@x.test'], ['7a', 'nn@x.test'], ['7'], ['7', 'ann@x.test', '']]
  const held = others.map((fields) =>
    checkSignedToken(keys, 'verification', { fields, token, now }),
  )
  expect(held).toEqual([false, false, false, false])
})

test('a signed token is valid as long as its key is among the keys', () => {
  const rotated = makeKeys([randomBytes(32), old])
  const another = makeKeys([randomBytes(32)])
  const held = [rotated, another].map((keys) =>
    checkSignedToken(keys, 'verification', { fields, token, now }),
  )
  expect(held).toEqual([true, false])
})

test('a signed token is valid only in its canonical spelling', () => {
  const [expiry = '', mac = ''] = token.split('.')
  const last = mac.at(-1) ?? ''
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  // The last letter of 16 bytes has four unused bits.
  const other = mac.slice(0, -1) + (letters[letters.indexOf(last) + 1] ?? '')
  const spellings = [
    `0${expiry}.${mac}`,
    `${expiry.toUpperCase()}.${mac}`,
    `${token}=`,
    `${token}.`,
  ]
  const held = [...spellings, `${expiry}.${other}`, `${expiry}.`, mac, ''].map((token) =>
    checkSignedToken(keys, 'verification', { fields, token, now }),
  )
  expect(held).toEqual(held.map(() => false))
})

test('a signed token with a changed expiry is invalid', () => {
  const later = (Number.parseInt(token, 36) + 3600).toString(36)
  const altered = `${later}.${token.split('.')[1] ?? ''}`
  expect(checkSignedToken(keys, 'verification', { fields, token: altered, now })).toBe(false)
})
