import { expect, test } from 'vitest'
import { beginningInWords, inWords } from './numbers.ts'

test('numbers up to ten are written as words', () => {
  expect([0, 1, 6, 10, 11, 500].map(inWords)).toEqual(['no', 'one', 'six', 'ten', '11', '500'])
  expect([10, 11].map(beginningInWords)).toEqual(['Ten', '11'])
})
