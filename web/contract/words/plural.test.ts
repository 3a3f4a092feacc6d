import { expect, test } from 'vitest'
import { plural } from './plural.ts'

const forms = { one: '# Passkey', other: '# Passkeys' }

test('a count takes the plural form and the number format of its language', () => {
  const texts = [0, 1, 2, 1234].map((count) => plural('de', count, forms))
  expect(texts).toEqual(['0 Passkeys', '1 Passkey', '2 Passkeys', '1.234 Passkeys'])
  expect(plural('en', 1234, forms)).toBe('1,234 Passkeys')
})

test('a missing plural form falls back to the form “other”', () => {
  expect(plural('en', 1, { other: '# s' })).toBe('1 s')
})
