import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { localPath, refererPath } from './local-path.ts'

test('a path of this site is accepted unchanged as a redirect target', () => {
  const paths = ['/', '/dashboard', '/settings/profile?tab=1', '/notifications?page=2#x']
  expect(paths.map(localPath)).toEqual(paths)
  expect(localPath('/search?q=a//b&back=/x@y')).toBe('/search?q=a//b&back=/x@y')
  expect(localPath('/a%20b/%C3%A9')).toBe('/a%20b/%C3%A9')
})

test('a redirect target with dot segments is normalised', () => {
  expect(localPath('/settings/../dashboard')).toBe('/dashboard')
  expect(localPath('/./dashboard/.')).toBe('/dashboard/')
})

test('a redirect target that leads or might lead to another site is refused', () => {
  // oxfmt-ignore
  const hostile = [
    '', 'dashboard', '?next=/x', '#x', '//evil.test', '///evil.test', '/\\evil.test',
    '\\/evil.test', '\\\\evil.test', '/\t/evil.test', '/\n/evil.test', ' //evil.test',
    'https://evil.test', 'https:evil.test', 'javascript:alert(1)', 'data:text/html,x',
    '/.//evil.test', '/..//evil.test', '/%2e//evil.test', '/%2E%2e//evil.test',
    '/a/..//evil.test', '/./\\evil.test', '/%5cevil.test', '/%2F/evil.test', '/%09/evil.test',
    '/\0/evil.test', '/\u2028/evil.test', '/\uff0fevil.test', '/;@evil.test', '/x?a=\\b',
    '/x?a=\r\nSet-Cookie: a=b', '/x y', '/%', '/%zz', '/dashboard\n', `/${'a'.repeat(8192)}`,
  ]
  expect(hostile.filter((target) => localPath(target) !== undefined)).toEqual([])
})

test('a Referer gives its path only if it is of this site', () => {
  const origin = 'https://app.example'
  expect(refererPath('https://app.example/login?x=1', origin)).toBe('/login?x=1')
  // oxfmt-ignore
  const others = [
    undefined, '', '/login', 'https://app.example', 'https://app.example.evil.test/',
    'https://app.example@evil.test/', 'https://app.example:443@evil.test/',
    'http://app.example/login', 'https://app.example//evil.test', 'https://evil.test/login',
    'HTTPS://app.example/.//evil.test', 'https://app.example/.//evil.test',
  ]
  expect(others.map((referer) => refererPath(referer, origin))).toEqual(others.map(() => undefined))
})

const targets = new URL('../../../shared/vectors/redirect-targets.json', import.meta.url)

test.runIf(existsSync(targets))(
  'the shared hostile redirect targets are refused, and the shared valid ones accepted',
  () => {
    const known = JSON.parse(readFileSync(targets, 'utf8')) as Record<string, string[]>
    const passing = known.must_fall_back?.filter((target) => localPath(target) !== undefined)
    expect(passing).toEqual([])
    expect(known.must_pass?.map(localPath)).toEqual(known.must_pass)
  },
)
