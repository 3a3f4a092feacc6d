import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { AssetList } from '../../internal/base/program/open-assets.ts'
import { forEachLanguage } from '../../internal/testing/assets.ts'
import { pageFiles } from './pages.ts'

const long = 'a sentence that comes again. '.repeat(50)

const output = (imports: string[], inputs: string[], entryPoint?: string) => ({
  bytes: 0,
  exports: [],
  imports: imports.map((path) => ({ path, kind: 'import-statement' as const })),
  inputs: Object.fromEntries(inputs.map((path) => [path, { bytesInOutput: 1 }])),
  ...(entryPoint && { entryPoint }),
})

const built = {
  metafile: {
    inputs: {},
    outputs: {
      'assets/browser-1.js': output(
        ['assets/shared-1.js'],
        ['web/client/core/client.ts'],
        'web/drawn/browser.tsx',
      ),
      'assets/shared-1.js': output([], []),
      'assets/card-1.js': output(
        ['assets/shared-1.js', 'assets/field-1.js'],
        ['web/drawn/pages/Auth/Login.tsx'],
      ),
      'assets/field-1.js': output([], []),
      'assets/style-1.css': output([], [], 'web/style.css'),
      'assets/inside-1.css': output([], ['sheet:web/styles/inside.css']),
      'assets/icon-1.svg': output([], [], 'brand:icon.svg'),
      'assets/social-de-1.png': output([], [], 'web/brand/social-de.png'),
    },
  },
  outputFiles: [
    { path: '/somewhere/assets/style-1.css', contents: Buffer.from(long) },
    { path: '/somewhere/assets/browser-1.js', contents: Buffer.from('x') },
  ],
}

const server = Buffer.from('server')

test('compressed files are stored only where they are smaller', () => {
  const files = pageFiles(forEachLanguage(built), server)
  expect([...files.keys()]).toEqual([
    'assets/browser-1.js',
    'assets/style-1.css',
    'assets/style-1.css.br',
    'assets/style-1.css.gz',
    'assets.json',
  ])
  expect(brotliDecompressSync(files.get('assets/style-1.css.br') ?? '').toString()).toBe(long)
  expect(gunzipSync(files.get('assets/style-1.css.gz') ?? '').toString()).toBe(long)
})

test('a page lists its own module and everything that it and the entry import', () => {
  const { scripts, ...shared } = assetList(server)
  expect(shared).toMatchObject({
    style: '/assets/style-1.css',
    icon: '/assets/icon-1.svg',
    pictures: { de: '/assets/social-de-1.png' },
  })
  expect(scripts['de']).toMatchObject({
    entry: '/assets/browser-1.js',
    shared: ['/assets/shared-1.js'],
    modules: {
      'Auth/Login': ['/assets/shared-1.js', '/assets/card-1.js', '/assets/field-1.js'],
    },
  })
})

test('a server-rendered page without a module of its own lists only the imports of the entry', () => {
  const files = pageFiles(forEachLanguage(built), server, { unloaded: ['Auth/Login'] })
  const list = JSON.parse(Buffer.from(files.get('assets.json') ?? '').toString()) as AssetList
  expect(list.scripts['en']?.modules).toEqual({ 'Auth/Login': ['/assets/shared-1.js'] })
})

test('documents name the shared module directly when the entry only imports it', () => {
  const { outputs } = built.metafile
  const stub = output(['assets/shared-1.js'], [], 'web/drawn/browser.tsx')
  const metafile = { ...built.metafile, outputs: { ...outputs, 'assets/browser-1.js': stub } }
  expect(assetList(server, { ...built, metafile }).scripts['en']?.entry).toBe('/assets/shared-1.js')
})

test('a stylesheet that a script imports is listed by its name', () => {
  expect(assetList(server).sheets).toEqual({ inside: '/assets/inside-1.css' })
})

test('the version changes when the server or an asset changes, and otherwise stays the same', () => {
  expect(assetList(server).version).toBe(assetList(server).version)
  expect(assetList(Buffer.from('another')).version).not.toBe(assetList(server).version)
  const [style, entry] = built.outputFiles
  const altered = { ...built, outputFiles: [{ ...style, contents: Buffer.from('y') }, entry] }
  expect(assetList(server, altered as typeof built).version).not.toBe(assetList(server).version)
})

test('each language has its own version', () => {
  const { version, scripts } = assetList(server)
  expect(scripts['en']?.version).toBe(version)
  expect(scripts['de']?.version).not.toBe(version)
})

function assetList(server: Uint8Array, pages = built): AssetList {
  return JSON.parse(
    Buffer.from(pageFiles(forEachLanguage(pages), server).get('assets.json') ?? '').toString(),
  ) as AssetList
}
