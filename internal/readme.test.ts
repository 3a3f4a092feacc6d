import { existsSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'

const readme = readFileSync('README.md', 'utf8')

/** The paths that a part of the README names, from one heading to the next. */
function pathsIn(heading: string): string[] {
  const [, part = ''] = readme.split(`### ${heading}\n`)
  const [own = ''] = part.split('\n### ')
  const words = [...own.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word)
  return words.filter((word) => /^[\w.-]+(\/[\w.-]+)*\/?$/.test(word) && /[/.]/.test(word))
}

test('what a change touches is there, folders as folders', () => {
  const named = ['To build…', 'To change what is there…'].flatMap(pathsIn)
  const missing = named.filter(
    (path) => !existsSync(path) || path.endsWith('/') !== statSync(path).isDirectory(),
  )
  expect(named.length).toBeGreaterThan(200)
  expect(missing).toEqual([])
})

test('where things are is there', () => {
  const named = pathsIn('Where things are').filter((path) =>
    /^(cmd|internal|web|migrations)/.test(path),
  )
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})
