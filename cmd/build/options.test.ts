import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memory } from '../../internal/testing/folders.ts'
import { readOptions, type Manifest } from './options.ts'

const manifest: Manifest = {
  name: 'app',
  version: '1.0.0',
  config: { database: 'sqlite', frontend: 'preact' },
  dependencies: {},
  optionalDependencies: {},
}

test('database and frontend are those of package.json unless a flag says otherwise', () => {
  const options = readOptions(['--target', 'linux-arm64'], manifest)
  expect(options).toEqual({
    name: 'app',
    database: 'sqlite',
    frontend: 'preact',
    target: 'linux-arm64',
    weigh: false,
    quiet: false,
  })
})

test('an app name that is not letters and digits is refused', () => {
  const names = ['my-app', '@me/app', 'äpp', '', 'a b']
  for (const name of names)
    expect(() => readOptions([], { ...manifest, name })).toThrow('letters and digits only')
})

test('an unknown platform is wrong usage, and the platforms are listed', () => {
  expect(() => readOptions(['--target', 'plan9-mips'], manifest)).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message:
        '--target takes linux-x64, linux-arm64, darwin-x64, darwin-arm64, win32-x64, not: plan9-mips',
    }),
  )
})

test('a frontend without code is refused, and so is an unknown one, or an unknown database', () => {
  expect(() => readOptions(['--database', 'oracle'], manifest)).toThrow('takes sqlite, postgres')
  const elsewhere = mkdtempSync(join(memory, 'options-'))
  onTestFinished(() => rmSync(elsewhere, { recursive: true }))
  mkdirSync(join(elsewhere, 'internal/db/sqlite'), { recursive: true })
  expect(() => readOptions(['--frontend', 'vue'], manifest, elsewhere)).toThrow('no code for it')
  expect(() => readOptions(['--frontend', 'elm'], manifest)).toThrow('takes preact, vue, svelte')
})

test('an unknown flag or a word too many is wrong usage', () => {
  expect(() => readOptions(['--fast'], manifest)).toThrow(expect.objectContaining({ exitCode: 2 }))
  expect(() => readOptions(['now'], manifest)).toThrow(expect.objectContaining({ exitCode: 2 }))
})
