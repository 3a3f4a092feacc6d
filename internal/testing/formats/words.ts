import { globSync } from 'node:fs'
import type { Language } from '../../../web/contract/languages.ts'

/** A word with its place, what it says, and how many values it takes. */
export interface Word {
  readonly at: string
  readonly says: string
  readonly takes: number
}

/** Values to pass to words that take some: each suits some of them. */
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
    notifications: { page: 2, pages: 3 },
    onlyUnread: true,
  },
  { notifications: { page: 1, pages: 1 }, onlyUnread: false },
  0,
  1,
  '*',
  new Date('2026-03-03T23:30:00Z'),
]

const putIn = new Set(values.flatMap((value) => [value, ...Object.values(value ?? {})]))

/** Returns all words of a language, by file and name; the results for several values are one per line. */
export async function wordsOf(language: Language): Promise<Word[]> {
  const folder = `web/contract/words/${language}/`
  const files = globSync(`${folder}**/*.ts`).map((path) => path.slice(folder.length))
  const words = files
    .filter((file) => !file.endsWith('.test.ts'))
    .toSorted()
    .map(async (file) =>
      wordsIn(await import(/* @vite-ignore */ `../../../${folder}${file}`), file),
    )
  return (await Promise.all(words)).flat()
}

/** Returns everything that one of a language's words says. Throws if a word can take none of `values`. */
export function wordsIn(value: unknown, at: string): Word[] {
  if (typeof value === 'string') return [{ at, says: value, takes: 0 }]
  if (typeof value === 'function') return saidBy(value, at)
  const names = Object.entries(value ?? {}).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return names.flatMap(([name, word]) => wordsIn(word, `${at} ${name}`))
}

function saidBy(word: Function, at: string): Word[] {
  const said = values.flatMap((value) => attempt(() => Reflect.apply(word, null, [value, value])))
  if (said.length === 0)
    throw new Error(
      `${at} can take none of \`values\` in internal/testing/formats/words.ts: add one.`,
    )
  if (!said.some((one) => typeof one === 'string'))
    return wordsIn(said, `${at}()`).filter(({ says }) => !putIn.has(says))
  return [{ at, says: said.join('\n'), takes: word.length }]
}

/** Returns nothing for a value that the word cannot take. */
function attempt(say: () => unknown): unknown[] {
  try {
    return [say()]
  } catch {
    return []
  }
}
