import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { hostPort } from '../../internal/base/network/host-port.ts'
import { expect, test } from 'vitest'
import { addresses } from '#db/address'
import { appName } from '../../web/contract/name.ts'
import { names, wrapping } from '../../internal/base/program/bundled-program.ts'
import type { Places } from '../../internal/base/program/own-file.ts'
import { environment } from '../../internal/base/settings/config.ts'
import { s3Server, settingsOfBucket } from '../../internal/testing/network/s3.ts'
import { executable } from '../../internal/testing/processes/build.ts'
import {
  emptyFolder,
  requiredSettings,
  run,
  serve,
} from '../../internal/testing/processes/executable.ts'
import { testedDatabase } from '../../internal/testing/tested-database.ts'
import { testedFrontend } from '../../internal/testing/tested-frontend.ts'

test('the executable serves in an empty folder without Node, PATH or node_modules', async () => {
  const app = await serve({ folder: emptyFolder() })
  const up = await fetch(`${app.origin}/up`)
  const home = await fetch(app.origin)
  const login = await fetch(`${app.origin}/login`)
  expect([up.status, await up.text()]).toEqual([200, 'up'])
  expect([home.status, login.status]).toEqual([200, 200])
  expect(await addresses.isThere(app.database)).toBe(true)
})

test('the start is logged in one line with version, address, database and mail mode', async () => {
  const app = await serve()
  await fetch(app.origin)
  const messages = () => app.lines.map(({ message }) => message)
  await expect.poll(messages).toContain('request')
  expect(messages().filter((message) => message === 'serving')).toHaveLength(1)
  expect(app.start).toMatchObject({
    level: 'info',
    version: expect.stringMatching(/^[0-9a-f]{16}$/),
    address: `http://127.0.0.1:${app.port}`,
    url: app.origin,
    database: addresses.nameOf(app.database),
    mail: 'log',
  })
})

test('the executable has no development mailbox', async () => {
  const app = await serve()
  const mailbox = await fetch(`${app.origin}/_dev/mail`)
  expect([app.start.mail, mailbox.status]).toEqual(['log', 404])
})

test('the mail mode names the SMTP server and its port', async () => {
  const mail = { MAIL_HOST: 'smtp.example.com', MAIL_FROM_ADDRESS: 'app@example.com' }
  const app = await serve({ settings: mail })
  expect(app.start.mail).toBe('smtp smtp.example.com:587')
})

test('the executable records where the program and the add-ons lie in its own file', () => {
  const content = readFileSync(executable)
  const [text = ''] = /\{"size":[1-9]\d*,"parts":\{[^}]+\}\}/.exec(content.toString('latin1')) ?? []
  const { size, parts } = JSON.parse(text) as Places
  const partOf = (name: string) => {
    const [offset, length] = parts[name] ?? [0, 0]
    return content.subarray(offset, offset + length).toString('latin1')
  }
  const source = partOf(names.source)
  const addons = Object.keys(parts).filter((name) => name.startsWith('addons/'))
  expect(size).toBe(content.length)
  expect([source.startsWith(wrapping[0]), source.trimEnd().endsWith(wrapping[1])]).toEqual([
    true,
    true,
  ])
  expect(partOf(names.code).length).toBeGreaterThan(100_000)
  // A build for a database server has one of them.
  expect(addons.length).toBeGreaterThan(0)
  expect(addons.filter((name) => !partOf(name).startsWith('\u007fELF'))).toEqual([])
})

test('native add-ons leave no temporary files', async () => {
  const settings = { TMPDIR: emptyFolder() }
  const app = await serve({ settings })
  // Uses the second add-on too: the password is hashed, though no account has the email.
  const response = await fetch(`${app.origin}/login`, {
    method: 'POST',
    body: new URLSearchParams({ email: 'nobody@example.com', password: 'correct horse' }),
    redirect: 'manual',
  })
  expect(response.status).toBe(303)
  expect(readdirSync(settings.TMPDIR)).toEqual([])
  expect(readdirSync(app.folder).filter((name) => !name.startsWith(`${appName}.db`))).toEqual([])
})

test('without a folder for native add-ons the executable exits with code 1 and suggests TMPDIR', async () => {
  const folder = emptyFolder()
  const withoutFiles = join(folder, appName)
  // Every write to a disk is too large.
  writeFileSync(withoutFiles, `#!/bin/sh\nulimit -f 0\nexec ${executable} "$@"\n`, { mode: 0o755 })
  const user = { executable: withoutFiles, ids: undefined, own: (owned: string) => owned }
  const { code, stderr } = await run([], { user, settings: await requiredSettings() })
  expect(code).toBe(1)
  expect(stderr).toMatch(/No folder takes the native add-on \S+\. Set TMPDIR to a folder/)
})

const hasIpv6 = Object.values(networkInterfaces()).some((interfaceAddresses) =>
  interfaceAddresses?.some(({ address }) => address === '::1'),
)

test.each(hasIpv6 ? ['127.0.0.1', '::1'] : ['127.0.0.1'])(
  'a start on a taken port of %s says what to do and leaves the database unmigrated',
  async (HOST) => {
    const first = await serve({ settings: { HOST } })
    const folder = emptyFolder()
    const settings = { ...(await requiredSettings()), HOST, PORT: String(first.port) }
    const second = await run([], { folder, settings })
    expect(second.code).toBe(1)
    expect(second.stderr).toBe(
      `${appName}: ${hostPort(HOST, first.port)} is taken by another program. Stop it, or set PORT to another port.\n`,
    )
    expect((await run(['migrate'], { folder, settings })).stdout).toContain('ran ')
  },
)

test('a photo folder that cannot be created is logged as an error at start, and pages are served', async () => {
  const folder = emptyFolder()
  const path = join(folder, 'a file', 'files')
  writeFileSync(join(folder, 'a file'), '')
  const app = await serve({ folder, settings: { FILES_PATH: path } })
  const failureLine = () =>
    app.lines.find(({ message }) => /where photos are kept failed/.test(message))
  await expect.poll(failureLine).toMatchObject({ level: 'error' })
  expect(JSON.stringify(failureLine())).toContain(`${path} is no folder`)
  expect((await fetch(`${app.origin}/login`)).status).toBe(200)
})

test('a file in place of the photos folder inside FILES_PATH is logged as an error at start', async () => {
  const folder = emptyFolder()
  const path = join(folder, 'files')
  mkdirSync(path)
  writeFileSync(join(path, 'photos'), '')
  const app = await serve({ folder, settings: { FILES_PATH: path } })
  const failureLine = () =>
    app.lines.find(({ message }) => /where photos are kept failed/.test(message))
  await expect.poll(failureLine).toMatchObject({ level: 'error' })
  expect(JSON.stringify(failureLine())).toContain(`${path}/photos is no folder`)
})

test('a bucket that refuses photos is logged as an error at start, and pages are served', async () => {
  const s3 = await s3Server(() => new Date())
  const settings = { ...settingsOfBucket(s3), AWS_SECRET_ACCESS_KEY: 'wrong' }
  const app = await serve({ settings })
  const failureLine = () =>
    app.lines.find(({ message }) => /where photos are kept failed/.test(message))
  await expect.poll(failureLine).toMatchObject({ level: 'error' })
  expect(JSON.stringify(failureLine())).toContain('Set AWS_SECRET_ACCESS_KEY to ')
  expect((await fetch(`${app.origin}/login`)).status).toBe(200)
})

const weighing = ['build.ts', '--weigh', '--database', testedDatabase, '--frontend', testedFrontend]
const root = join(import.meta.dirname, '../..')

test('a build needs no database server', () => {
  const { DB_URL: _, ...env } = environment()
  const weighed = spawnSync(process.execPath, weighing, { cwd: root, env, encoding: 'utf8' })
  expect([weighed.status, weighed.stderr]).toEqual([0, ''])
  expect(weighed.stdout).toContain('login page over the wire')
})

test('a build that ends because the reader of its output has closed the pipe leaves no server and no folder', async () => {
  const temporary = emptyFolder()
  const env = { ...environment(), TMPDIR: temporary }
  const build = spawn(process.execPath, weighing, {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  build.stdout.destroy()
  // A server that is left keeps this open.
  await text(build.stderr)
  expect(readdirSync(temporary)).toEqual([])
})
