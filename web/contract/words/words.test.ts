import { expect, test } from 'vitest'
import { type Word, wordsOf } from '../../../internal/testing/words.ts'
import { defaultLanguage, languageNames } from '../languages.ts'

/** What reads the same in every language: names, and what is no word. */
const same = /^(?:Name|Code|Token|Passkeys?|System|name|email|x)$|^99\+|^curl /m

const others = languageNames.filter((language) => language !== defaultLanguage)
const inEnglish = await wordsOf(defaultLanguage)

test('each language has the files and words that English has, which take as many values', async () => {
  const found = await Promise.all(others.map(wordsOf))
  expect(found.map(shape)).toEqual(others.map(() => shape(inEnglish)))
})

test('no word is empty', async () => {
  const all = (await Promise.all(languageNames.map(wordsOf))).flat()
  expect(all.filter(({ says }) => says.trim() === '')).toEqual([])
})

test('no word is left in English, but those that are the same everywhere', async () => {
  const said = new Map(inEnglish.map(({ at, says }) => [at, says]))
  const all = (await Promise.all(others.map(wordsOf))).flat()
  expect(all.filter(({ at, says }) => said.get(at) === says && !same.test(says))).toEqual([])
})

function shape(words: readonly Word[]): string[] {
  return words.map(({ at, takes }) => `${at} takes ${takes}`)
}
