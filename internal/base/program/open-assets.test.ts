import { expect, test } from 'vitest'
import type { Embedded } from './embedded.ts'
import { openAssets } from './open-assets.ts'

const list = {
  version: 'abc',
  style: '/assets/style-1.css',
  sheets: { inside: '/assets/inside-1.css' },
  icon: '/assets/icon-1.svg',
  pictures: { en: '/assets/social-en-1.png' },
  scripts: {
    en: {
      version: 'abc-en',
      entry: '/assets/browser-1.js',
      shared: ['/assets/shared-1.js'],
      modules: { 'Auth/Login': ['/assets/shared-1.js', '/assets/login-1.js'] },
    },
  },
  files: {
    '/assets/browser-1.js': { type: 'text/javascript', etag: 'W/"1"', br: true, gzip: false },
  },
}

const content: Readonly<Record<string, string>> = {
  'assets.json': JSON.stringify(list),
  'assets/browser-1.js': 'identity',
  'assets/browser-1.js.br': 'brotli',
}

function folder(read: string[] = []): Pick<Embedded, 'read'> {
  return {
    read(name) {
      read.push(name)
      return Buffer.from(content[name] ?? expect.fail(`${name} is not there`))
    },
  }
}

test('an asset is found with every encoding that the build stored', () => {
  const found = openAssets(folder()).find('/assets/browser-1.js')
  expect(found).toEqual({
    type: 'text/javascript',
    etag: 'W/"1"',
    identity: Buffer.from('identity'),
    br: Buffer.from('brotli'),
  })
})

test('an asset is read only once, at its first request', () => {
  const read: string[] = []
  const assets = openAssets(folder(read))
  expect(read).toEqual(['assets.json'])
  expect(assets.find('/assets/browser-1.js')).toBe(assets.find('/assets/browser-1.js'))
  expect(read).toHaveLength(3)
})

test('a path that is not of an asset is not found', () => {
  const assets = openAssets(folder())
  const paths = ['/assets/other.js', '/assets.json', '/assets/../assets.json', 'constructor', '']
  expect(paths.map((path) => assets.find(path))).toEqual(paths.map(() => undefined))
})

test('a stylesheet is found by its name, and an unknown name is an error', () => {
  const assets = openAssets(folder())
  expect(assets.sheet('inside')).toBe('/assets/inside-1.css')
  expect(() => assets.sheet('other')).toThrow('other')
})

test('a page preloads its own modules, and an unknown page those of the entry', () => {
  const assets = openAssets(folder())
  expect(assets.scripts('en').modules('Auth/Login')).toEqual([
    '/assets/shared-1.js',
    '/assets/login-1.js',
  ])
  expect(assets.scripts('en').modules('constructor')).toEqual(['/assets/shared-1.js'])
})
