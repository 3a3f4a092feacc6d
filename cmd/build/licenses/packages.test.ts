import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, realpathSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { environment } from '../../../internal/base/settings/config.ts'
import { temporaryFolder } from '../../../internal/testing/database/database.ts'

/** Dry-runs `npm ci` under another version of Node, and returns what it would install. Downloads and writes nothing. */
function install(version: string) {
  const folder = temporaryFolder()
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    copyFileSync(resolve(name), join(folder, name))
  const disguise = join(folder, 'disguise.cjs')
  writeFileSync(disguise, `Object.defineProperty(process, 'version', { value: '${version}' })`)
  const args = ['--require', disguise, npm(), 'ci', '--dry-run', '--offline']
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    // Without what npm itself passes on when it runs the tests.
    env: { PATH: environment().PATH, HOME: folder },
  })
  const packages = stdout.split('\n').filter((line) => line.startsWith('add '))
  return { status, stderr, packages: packages.toSorted() }
}

/** Returns the program of the first npm on the PATH. */
function npm(): string {
  const folders = environment().PATH?.split(delimiter) ?? []
  return realpathSync(
    folders.map((folder) => join(folder, 'npm')).find((file) => existsSync(file)) ?? 'npm',
  )
}

test('npm ci installs the same packages without warnings on every supported Node version', () => {
  const { packages } = install('v26.10.0')
  expect(packages.length).toBeGreaterThan(100)
  for (const version of ['v20.19.0', 'v22.12.0', 'v24.0.0'])
    expect(install(version)).toEqual({ status: 0, stderr: '', packages })
  // Four times the size of everything installed, which is read from files.
}, 240_000)

test('npm ci on an unsupported Node version fails and names the supported versions', () => {
  for (const version of ['v20.18.0', 'v21.7.0', 'v22.11.0']) {
    const { status, stderr } = install(version)
    expect([status, stderr]).toEqual([1, expect.stringContaining('^20.19.0 || >=22.12.0')])
  }
})
