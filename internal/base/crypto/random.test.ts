import { expect, test } from 'vitest'
import { random, randomId, sha256 } from './random.ts'

test('an ID is 26 characters of lower-case base32', () => {
  expect(randomId()).toMatch(/^[a-z2-7]{26}$/)
})

test('2,000 IDs are all different, though the random pool is refilled', () => {
  const ids = new Set(Array.from({ length: 2000 }, randomId))
  expect(ids.size).toBe(2000)
})

test('IDs use every letter of the base32 alphabet', () => {
  const letters = new Set(Array.from({ length: 200 }, randomId).join(''))
  expect(letters.size).toBe(32)
})

test('random bytes stay unchanged by later calls', () => {
  const first = random(16)
  const copy = Buffer.from(first)
  Array.from({ length: 1000 }, () => random(16))
  expect(first).toEqual(copy)
})

test('more random bytes than the pool holds are filled to the end', () => {
  const bytes = random(10_000)
  expect(bytes.length).toBe(10_000)
  expect(bytes.subarray(9_968).equals(Buffer.alloc(32))).toBe(false)
})

test('SHA-256 of a text is the hash of its UTF-8 bytes', () => {
  const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(sha256('abc').toString('hex')).toBe(expected)
  expect(sha256(Buffer.from('abc')).toString('hex')).toBe(expected)
  expect(sha256('é')).toEqual(sha256(Buffer.from([0xc3, 0xa9])))
})
