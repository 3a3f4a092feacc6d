import { expect, test } from 'vitest'
import project from '../../package.json' with { type: 'json' }
import { frontendNames } from './frontend-build.ts'
import { thisTarget } from './executable/targets.ts'
import { databaseNames, readOptions, type Manifest } from './options.ts'

const manifest: Manifest = {
  name: 'app',
  version: '1.0.0',
  config: project.config,
  dependencies: {},
  optionalDependencies: {},
}

test('database and frontend default to those of package.json, and --target sets the platform', () => {
  const options = readOptions(['--target', 'linux-arm64'], manifest)
  expect(options).toEqual({
    name: 'app',
    ...project.config,
    target: 'linux-arm64',
    weigh: false,
    quiet: false,
  })
})

test('--database and --frontend override package.json', () => {
  const { database, frontend } = project.config
  const others = { ...manifest, config: { database: 'oracle', frontend: 'elm' } }
  const options = readOptions(['--database', database, '--frontend', frontend], others)
  expect(options).toMatchObject({ database, frontend })
})

test('a name with anything but letters and digits is refused', () => {
  const names = ['my-app', '@me/app', 'äpp', '', 'a b']
  for (const name of names)
    expect(() => readOptions([], { ...manifest, name })).toThrow('letters and digits only')
})

test('an unknown platform is wrong usage, and the error lists the platforms', () => {
  expect(() => readOptions(['--target', 'plan9-mips'], manifest)).toThrow(
    expect.objectContaining({
      exitCode: 2,
      message:
        '--target takes linux-x64, linux-arm64, darwin-x64, darwin-arm64, win32-x64, not: plan9-mips',
    }),
  )
})

test('an unknown database or frontend is refused, and the error lists the available ones', () => {
  expect(() => readOptions(['--database', 'oracle'], manifest)).toThrow(
    `--database takes ${databaseNames.join(', ')}, not: oracle`,
  )
  expect(() => readOptions(['--frontend', 'elm'], manifest)).toThrow(
    `--frontend takes ${frontendNames.join(', ')}, not: elm`,
  )
})

test('--weigh is refused with --quiet or for another platform, whose build does not run here', () => {
  const others = ['linux-arm64', 'win32-x64'].filter((target) => target !== thisTarget())
  const usages = [['--quiet'], ...others.map((target) => ['--target', target])]
  for (const flags of usages)
    expect(() => readOptions(['--weigh', ...flags], manifest)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringContaining('leave out') }),
    )
  expect(readOptions(['--weigh'], manifest).weigh).toBe(true)
})

test('an unknown flag or an extra argument is wrong usage', () => {
  expect(() => readOptions(['--fast'], manifest)).toThrow(expect.objectContaining({ exitCode: 2 }))
  expect(() => readOptions(['now'], manifest)).toThrow(expect.objectContaining({ exitCode: 2 }))
})
