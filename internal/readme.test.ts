import { existsSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pathsIn, pathsOfChanges } from './testing/formats/readme-paths.ts'

const readme = readFileSync('README.md', 'utf8')

test('each path in the README’s sections about building and changing exists, and a folder ends with a slash', () => {
  const named = pathsOfChanges(readme)
  const missing = named.filter(
    (path) => !existsSync(path) || path.endsWith('/') !== statSync(path).isDirectory(),
  )
  expect(named.length).toBeGreaterThan(200)
  expect(missing).toEqual([])
})

test('each path in the README’s section Where things are exists', () => {
  const named = pathsIn(readme, 'Where things are').filter((path) =>
    /^(cmd|internal|web|migrations)/.test(path),
  )
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})
