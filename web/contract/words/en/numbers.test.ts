import { expect, test } from 'vitest'
import { beginningInWords, inWords } from './numbers.ts'

test('a number stands in a sentence as a word as far as ten', () => {
  expect([0, 1, 6, 10, 11, 500].map(inWords)).toEqual(['no', 'one', 'six', 'ten', '11', '500'])
  expect([10, 11].map(beginningInWords)).toEqual(['Ten', '11'])
})
