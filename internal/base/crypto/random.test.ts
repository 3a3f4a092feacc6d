import { expect, test } from 'vitest'
import { random, randomId, sha256 } from './random.ts'

test('an ID is 26 characters of lower-case base32', () => {
  expect(randomId()).toMatch(/^[a-z2-7]{26}$/)
})

test('no two IDs are the same, however often the pool is filled again', () => {
  const ids = new Set(Array.from({ length: 2000 }, randomId))
  expect(ids.size).toBe(2000)
})

test('an ID uses every letter of its alphabet', () => {
  const letters = new Set(Array.from({ length: 200 }, randomId).join(''))
  expect(letters.size).toBe(32)
})

test('random bytes are kept from those given out later', () => {
  const first = random(16)
  const copy = Buffer.from(first)
  Array.from({ length: 1000 }, () => random(16))
  expect(first).toEqual(copy)
})

test('more random bytes than the pool holds are still random', () => {
  const bytes = random(10_000)
  expect(bytes.length).toBe(10_000)
  expect(bytes.subarray(9_968).equals(Buffer.alloc(32))).toBe(false)
})

test('SHA-256 of text is that of its UTF-8 bytes', () => {
  const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(sha256('abc').toString('hex')).toBe(expected)
  expect(sha256(Buffer.from('abc')).toString('hex')).toBe(expected)
  expect(sha256('é')).toEqual(sha256(Buffer.from([0xc3, 0xa9])))
})
