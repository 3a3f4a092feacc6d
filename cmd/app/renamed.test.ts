import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { environment } from '../../internal/base/settings/config.ts'
import { newKey } from '../../internal/base/settings/settings.ts'
import { copyOfProject } from '../../internal/testing/processes/copy-of-project.ts'
import { appName } from '../../web/contract/name.ts'

/**
 * Tests of everything derived from the names: settings, cookies, tokens, links, mails, titles, and what operators
 * copy.
 */
const filesWithName = [
  'cmd/build/name-places.test.ts',
  'internal/base/crypto/access-token.test.ts',
  'internal/base/settings/read-config.test.ts',
  'internal/base/crypto/totp.test.ts',
  'internal/domain/mails/layout.test.ts',
  'internal/domain/mails/mails.test.ts',
  'internal/domain/passkeys/first-passkey.test.ts',
  'internal/http/session/browser-cookie.test.ts',
  'internal/http/handlers/home.test.ts',
  'internal/http/handlers/settings/two-factor.test.ts',
  'web/brand/brand.test.ts',
  'internal/http/headers.test.ts',
  'internal/http/log/log-failure.test.ts',
  'internal/http/form/mail-sent.test.ts',
]

/** Copies the project with another name, and another brand name if it is to have one. */
async function renameCopy(name: string, brand?: string): Promise<string> {
  const folder = copyOfProject()
  edit(join(folder, 'package.json'), `"name": "${appName}"`, `"name": "${name}"`)
  if (brand) edit(join(folder, 'web/brand/brand.ts'), '= manifest.name', `= '${brand}'`)
  await run(folder, process.execPath, ['cmd/build/write-name.ts'])
  return folder
}

function edit(file: string, from: string, to: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
}

/** Runs a program in the copy, and returns its exit code and output. */
async function run(folder: string, program: string, args: readonly string[]) {
  const { PATH } = environment()
  const child = spawn(program, args, {
    cwd: folder,
    env: { PATH, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { stdout, stderr } = child as { stdout: Readable; stderr: Readable }
  const [stdoutText, stderrText, [code]] = await Promise.all([
    text(stdout),
    text(stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, output: stdoutText + stderrText }
}

test('a project renamed in package.json and the brand builds, passes the tests of names and runs', async () => {
  const folder = await renameCopy('guild7', 'Shop & Co')
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config']
  // Each process that runs tests first loads the whole service.
  const oneWorker = ['--maxWorkers', '1']
  const [build, testRun] = await Promise.all([
    run(folder, process.execPath, ['build.ts', '--quiet']),
    run(folder, process.execPath, [
      ...vitest,
      'internal/testing/vitest.config.ts',
      ...oneWorker,
      ...filesWithName,
    ]),
  ])
  writeFileSync(join(folder, '.env'), `APP_URL=http://localhost:3000\nAPP_KEY=${newKey()}\n`)
  const firstMigrate = await run(folder, join(folder, 'dist/guild7'), ['migrate'])
  const secondMigrate = await run(folder, join(folder, 'dist/guild7'), ['migrate'])
  const help = await run(folder, join(folder, 'dist/guild7'), ['help', 'backup'])
  expect(help).toEqual({ code: 0, output: expect.stringContaining('such as guild7.tar') })
  expect(build).toMatchObject({ code: 0 })
  expect(testRun).toEqual({ code: 0, output: expect.stringMatching(/Test Files +\d+ passed/) })
  expect(firstMigrate).toEqual({ code: 0, output: expect.stringContaining('ran ') })
  expect(secondMigrate).toEqual({
    code: 0,
    output: `${join(folder, 'guild7.db')} is up to date.\n`,
  })
}, 240_000)

const names =
  /cmd\/app\b[\w./-]*|internal\/app\.ts|testing\/test-app\.ts|fail2ban\/app\.conf|\bapp_key\b|\b(?:an|the|authenticator) app\b/gi

test.skipIf(appName !== 'app')(
  'no file for machines or operators contains the old name after a rename',
  async () => {
    const folder = await renameCopy('guild7')
    const files = [
      '.github/SECURITY.md',
      'Dockerfile',
      'README.md',
      'cmd/app/app.service',
      'cmd/app/cluster/compose.mysql.yaml',
      'cmd/app/cluster/compose.postgres.yaml',
      'cmd/app/cluster/haproxy.cfg',
      'cmd/app/cluster/mysql-rights.sql',
      'testdata/fail2ban/app.conf',
    ]
    const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
    expect(lines.filter((line) => /\bapp(?![a-z\d])/.test(line.replaceAll(names, '')))).toEqual([])
  },
)
