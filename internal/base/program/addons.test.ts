import { hash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sweepAddons, unpack } from './addons.ts'

const content = Buffer.from('an add-on')
const addon = { content, sha256: hash('sha256', content) }

const refuse = () => expect.fail('it was loaded')

let parent: string

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'addons-test-'))
})

afterEach(() => {
  chmodSync(parent, 0o700)
  rmSync(parent, { recursive: true })
})

test('an add-on is loaded from a private folder, with its hash in the file name', () => {
  const loaded: { file: string; mode: number }[] = []
  const load = (file: string) => {
    loaded.push({ file: basename(file), mode: lstatSync(dirname(file)).mode & 0o777 })
  }
  unpack('hash.node', addon, load, [parent])
  expect(loaded).toEqual([{ file: `${addon.sha256}-hash.node`, mode: 0o700 }])
})

test('no file of an add-on is left once it is loaded', () => {
  unpack('hash.node', addon, () => undefined, [parent])
  expect(readdirSync(parent)).toEqual([])
})

test('an old add-on folder of a killed start is deleted, while recent and foreign folders stay', async () => {
  unpack('hash.node', addon, () => undefined, [parent])
  const now = new Date()
  const left = (name: string, { file = `${addon.sha256}-hash.node`, seconds = 120 }) => {
    mkdirSync(join(parent, name))
    writeFileSync(join(parent, name, file), content)
    const at = new Date(now.getTime() - seconds * 1000)
    for (const path of [join(parent, name, file), join(parent, name)]) utimesSync(path, at, at)
  }
  left('app-addon-killed', {})
  left('app-addon-loaded', { seconds: 1 })
  left('app-addon-others', { file: 'something' })
  await sweepAddons(now)
  expect(readdirSync(parent).toSorted()).toEqual(['app-addon-loaded', 'app-addon-others'])
})

test('two starts never use the same add-on folder', () => {
  const folders: string[] = []
  unpack('hash.node', addon, (file) => folders.push(dirname(file)), [parent])
  unpack('hash.node', addon, (file) => folders.push(dirname(file)), [parent])
  expect(new Set(folders).size).toBe(2)
})

test('a folder that cannot be written or does not allow programs is skipped', () => {
  const other = join(parent, 'missing')
  const files: string[] = []
  const load = (file: string) => {
    files.push(file)
    if (files.length === 1) throw new Error('failed to map segment from shared object')
  }
  unpack('hash.node', addon, load, [other, parent, parent])
  expect(files.map((file) => existsSync(file))).toEqual([false, false])
})

test('an add-on that differs from the built one is never loaded', () => {
  const altered = { content: Buffer.from('another'), sha256: addon.sha256 }
  expect(() => unpack('hash.node', altered, refuse, [parent])).toThrow('what was written')
  expect(readdirSync(parent)).toEqual([])
})

test('without a usable folder for an add-on the error names each with its reason and suggests TMPDIR', () => {
  const missing = join(parent, 'missing')
  const nowhere = () => unpack('hash.node', addon, () => undefined, [missing])
  expect(nowhere).toThrow(/Set TMPDIR to a folder/)
  expect(nowhere).toThrow(`${missing}: ENOENT`)
})
