import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settings } from './settings.ts'

test('the README lists every setting with its meaning, and no other', () => {
  const readme = readFileSync('README.md', 'utf8')
  const rows = [...readme.matchAll(/^\| `([A-Z_]+)` \| (.*?) \|/gm)].map(([, ...row]) => row)
  expect(rows).toEqual(Object.entries(settings).map(([name, { meaning }]) => [name, meaning]))
})
