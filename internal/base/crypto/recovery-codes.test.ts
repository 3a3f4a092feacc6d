import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newRecoveryCodes, without } from './recovery-codes.ts'

const codes = ['abcde-fghij', 'kmnpq-rstuv', 'wxyz2-34567']

test('there are eight recovery codes, each two groups of five letters and digits', () => {
  const made = newRecoveryCodes()
  expect(made).toHaveLength(8)
  expect(made.filter((code) => !/^[a-z2-9]{5}-[a-z2-9]{5}$/.test(code))).toEqual([])
})

test('recovery codes are random and use 32 characters without the look-alikes 0, 1, l and o', () => {
  const made = Array.from({ length: 100 }, newRecoveryCodes).flat()
  const used = new Set(made.join('').replaceAll('-', ''))
  expect(new Set(made).size).toBe(800)
  const places = Array.from(
    { length: 10 },
    (_, at) => new Set(made.map((code) => code.replace('-', '')[at])).size,
  )
  expect(places).toEqual(places.map(() => 32))
  expect(Array.from('01lo').filter((character) => used.has(character))).toEqual([])
  expect(used.size).toBe(32)
})

test('using a recovery code removes it and keeps the others in order', () => {
  expect(without(codes, 'kmnpq-rstuv')).toEqual(['abcde-fghij', 'wxyz2-34567'])
  expect(without(['abcde-fghij'], 'abcde-fghij')).toEqual([])
})

test('a recovery code is accepted whatever its case, spaces and dashes', () => {
  const typed = ['WXYZ2-34567', 'wxyz234567', ' wxyz2 34567\n', 'w-x-y-z-234567', 'Wxyz2–34567']
  const left = typed.map((text) => without(codes, text))
  expect(left).toEqual(typed.map(() => ['abcde-fghij', 'kmnpq-rstuv']))
})

test('a text that is not one of the recovery codes is refused', () => {
  const typed = ['', '-', 'abcde', 'abcde-fghi', 'abcde-fghijk', 'abcde-fghij kmnpq-rstuv', '\0']
  expect(typed.map((text) => without(codes, text))).toEqual(typed.map(() => undefined))
  expect(without([], 'abcde-fghij')).toBe(undefined)
  expect(without([], '')).toBe(undefined)
})

test('a typed recovery code is compared with every code in constant time', () => {
  const compared = vi.spyOn(crypto, 'timingSafeEqual')
  syncBuiltinESMExports()
  onTestFinished(() => {
    compared.mockRestore()
    syncBuiltinESMExports()
  })
  const comparisons = ['abcde-fghij', 'wxyz2-34567', 'none of them'].map((typed) => {
    compared.mockClear()
    without(codes, typed)
    return compared.mock.results.map(({ value }) => value as boolean)
  })
  expect(comparisons).toEqual([
    [true, false, false],
    [false, false, true],
    [false, false, false],
  ])
})
