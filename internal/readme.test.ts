import { existsSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pathsIn, pathsOfChanges } from './testing/formats/readme-paths.ts'

const readme = readFileSync('README.md', 'utf8')

test('what a change touches is there, folders as folders', () => {
  const named = pathsOfChanges(readme)
  const missing = named.filter(
    (path) => !existsSync(path) || path.endsWith('/') !== statSync(path).isDirectory(),
  )
  expect(named.length).toBeGreaterThan(200)
  expect(missing).toEqual([])
})

test('where things are is there', () => {
  const named = pathsIn(readme, 'Where things are').filter((path) =>
    /^(cmd|internal|web|migrations)/.test(path),
  )
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})
