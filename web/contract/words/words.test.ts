import { globSync } from 'node:fs'
import { expect, test } from 'vitest'
import { defaultLanguage, type Language, languageNames } from '../languages.ts'

/** A word by where it stands, what it says, and how many values are put into it. */
interface Word {
  readonly at: string
  readonly says: string
  readonly takes: number
}

/** What is put into words that take something, one after the other: each is right for some of them. */
const values: readonly unknown[] = [
  3,
  {
    keys: 'removed',
    browser: null,
    system: null,
    name: 'x',
    email: 'x',
    address: 'x',
    valid: true,
  },
  0,
  1,
  '*',
  new Date('2026-03-03T23:30:00Z'),
]

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

async function wordsOf(language: Language): Promise<Word[]> {
  const folder = `web/contract/words/${language}/`
  const files = globSync(`${folder}**/*.ts`).map((path) => path.slice(folder.length))
  const words = files
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted()
    .map(async (file) => within(await import(/* @vite-ignore */ `./${language}/${file}`), file))
  return (await Promise.all(words)).flat()
}

function within(value: unknown, at: string): Word[] {
  if (typeof value === 'string') return [{ at, says: value, takes: 0 }]
  if (typeof value === 'function') return saidBy(value, at)
  const names = Object.entries(value ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return names.flatMap(([name, word]) => within(word, `${at} ${name}`))
}

function saidBy(word: Function, at: string): Word[] {
  const said = values.flatMap((value) => attempt(() => Reflect.apply(word, null, [value, value])))
  if (!said.some((one) => typeof one === 'string')) return within(said, `${at}()`)
  return [{ at, says: said.join('\n'), takes: word.length }]
}

/** Nothing for a value that the word cannot take. */
function attempt(say: () => unknown): unknown[] {
  try {
    return [say()]
  } catch {
    return []
  }
}
