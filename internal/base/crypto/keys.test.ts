import { createHmac, hkdfSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeKeys } from './keys.ts'
import type { Purpose } from './keys.ts'

const old = Buffer.alloc(32, 1)
const current = Buffer.alloc(32, 2)

test('a sealed value opens with the same purpose and context', () => {
  const keys = makeKeys([current])
  const sealed = keys.seal('session', 'session', 'ann — 1')
  expect(sealed).toMatch(/^[\w-]+$/)
  expect(keys.open('session', 'session', sealed)).toEqual({ text: 'ann — 1', stale: false })
})

test('an empty text can be sealed and opened', () => {
  const keys = makeKeys([current])
  const sealed = keys.seal('session', '', '')
  expect(keys.open('session', '', sealed)).toEqual({ text: '', stale: false })
})

test('sealing the same text twice gives different values', () => {
  const keys = makeKeys([current])
  expect(keys.seal('session', 'a', 'text')).not.toBe(keys.seal('session', 'a', 'text'))
})

test('a value sealed for one context does not open in another', () => {
  const keys = makeKeys([current])
  expect(keys.open('session', 'totp:8', keys.seal('session', 'totp:7', 'x'))).toBeUndefined()
})

test('a value sealed for one purpose does not open for another', () => {
  const keys = makeKeys([current])
  const sealed = keys.seal('session', 'a', 'x')
  expect(keys.open('another' as Purpose, 'a', sealed)).toBeUndefined()
})

test('a value sealed with a previous key opens as stale, and not without that key', () => {
  const sealed = makeKeys([old]).seal('session', 'a', 'x')
  expect(makeKeys([current, old]).open('session', 'a', sealed)).toEqual({ text: 'x', stale: true })
  expect(makeKeys([current]).open('session', 'a', sealed)).toBeUndefined()
})

test('a sealed value with any byte altered does not open', () => {
  const keys = makeKeys([current])
  const bytes = Buffer.from(keys.seal('session', 'a', 'text'), 'base64url')
  const altered = [...bytes].map((byte, at) => {
    const copy = Buffer.from(bytes)
    copy[at] = byte ^ 1
    return keys.open('session', 'a', copy.toString('base64url'))
  })
  expect(altered.filter((opened) => opened !== undefined)).toEqual([])
})

test('a sealed value opens only in its canonical spelling', () => {
  const keys = makeKeys([current])
  // 31 bytes: the last of 42 characters has two unused bits.
  const sealed = keys.seal('session', 'a', 'xyz')
  const last = { A: 'B', Q: 'R', g: 'h', w: 'x' }[sealed.slice(-1)]
  const others = [
    `${sealed}=`,
    `${sealed}\n`,
    ` ${sealed}`,
    `${sealed}.`,
    sealed.slice(0, -1) + last,
  ]
  expect(others.map((other) => keys.open('session', 'a', other))).toEqual(
    others.map(() => undefined),
  )
  expect(Buffer.from(sealed.slice(0, -1) + last, 'base64url')).toEqual(
    Buffer.from(sealed, 'base64url'),
  )
})

test('a text that is too short for a sealed value does not open', () => {
  const keys = makeKeys([current])
  expect(['', 'AAAA', 'A'.repeat(36)].map((text) => keys.open('session', 'a', text))).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('a MAC verifies in full or by its first 16 bytes, and not by fewer', () => {
  const keys = makeKeys([current])
  const mac = keys.sign('session', ['7', 'ann@example.com'])
  const verify = (bytes: Uint8Array) => keys.verify('session', ['7', 'ann@example.com'], bytes)
  expect(verify(mac)).toBe(true)
  expect(verify(mac.subarray(0, 16))).toBe(true)
  expect(verify(mac.subarray(0, 15))).toBe(false)
  expect(verify(new Uint8Array())).toBe(false)
  expect(verify(Buffer.concat([mac, Buffer.alloc(1)]))).toBe(false)
  expect(verify(mac.map((byte, at) => (at === 15 ? byte ^ 1 : byte)))).toBe(false)
})

test('a MAC does not verify when text moves from one signed field to another', () => {
  const keys = makeKeys([current])
  const mac = keys.sign('session', ['ab', 'c'])
  expect(keys.verify('session', ['a', 'bc'], mac)).toBe(false)
  expect(keys.verify('session', ['abc'], mac)).toBe(false)
  expect(keys.verify('session', ['ab', 'c', ''], mac)).toBe(false)
})

test('the first key signs and every key verifies', () => {
  const mac = makeKeys([old]).sign('session', ['a'])
  expect(makeKeys([current, old]).verify('session', ['a'], mac)).toBe(true)
  expect(makeKeys([current]).verify('session', ['a'], mac)).toBe(false)
  expect(makeKeys([current, old]).sign('session', ['a'])).not.toEqual(mac)
})

test('a MAC is HMAC-SHA256 under an HKDF key of its purpose', () => {
  const key = Buffer.from(hkdfSync('sha256', current, '', 'sign session', 32))
  const expected = createHmac('sha256', key).update(Buffer.from('\0\0\0\x02\xc3\xa9', 'latin1'))
  expect(makeKeys([current]).sign('session', ['é'])).toEqual(expected.digest())
})
