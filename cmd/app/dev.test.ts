import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { basename, join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { chromiumOfFile } from '../../internal/testing/chromium/chromium.ts'
import { settingsOfDatabase } from '#testing/address'
import { Browser } from '../../internal/testing/browser.ts'
import { freePort } from '../../internal/base/program/free-port.ts'
import { testedDatabase } from '../../internal/testing/tested-database.ts'
import { copyOfProject, linkPackages } from '../../internal/testing/processes/copy-of-project.ts'
import { colours } from '../../web/brand/colours.ts'
import { appName } from '../../web/contract/name.ts'
import manifest from '../../package.json' with { type: 'json' }
import { buttons } from '#words/buttons'

const chromium = chromiumOfFile()

/** A source of the pages. The runner uses the project's own frontend, whichever is under test. */
const group = `web/${manifest.config.frontend}/groups/login.ts`

test('the development runner writes a private .env, serves pages and exits with code 0 on SIGINT', async () => {
  const runner = await develop()
  const answer = await fetch(`${runner.origin}/login`)
  const file = join(runner.folder, '.env')
  const filesWhileServing = databaseFiles(runner.folder)
  runner.process.kill('SIGINT')
  const [code] = await once(runner.process, 'close')
  expect(answer.status).toBe(200)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readFileSync(file, 'utf8')).toMatch(
    new RegExp(
      `^APP_KEY=base64:[\\w+/]{43}=\nAPP_DEBUG=true\nAPP_URL=${runner.origin}\nPORT=\\d+\n$`,
    ),
  )
  expect(code).toBe(0)
  await expect(fetch(runner.origin)).rejects.toThrow('fetch failed')
  // A server that is still running, or was killed, would leave the files that its database has while it runs.
  expect(filesWhileServing.length).toBeGreaterThan(1)
  expect(databaseFiles(runner.folder)).toEqual([`${appName}.db`])
})

test('the port of the first start is part of the address to open and is the port of the next start', async () => {
  const folder = copyOfProject()
  const {
    APP_URL: address,
    PORT,
    ...databaseSettings
  } = await settingsFor(folder, await freePort())
  const runner = start(folder, { ...databaseSettings, PORT })
  await expect.poll(runner.output, { timeout: 60_000 }).toContain('Ctrl-C stops.')
  expect(runner.output()).toContain(`Open ${address}.`)
  expect(readFileSync(join(folder, '.env'), 'utf8')).toMatch(
    new RegExp(`\nAPP_URL=${address}\nPORT=${PORT}\n$`),
  )
  expect(runner.output()).not.toContain('forms are refused')
  runner.process.kill('SIGINT')
  await once(runner.process, 'close')
  const restartedRunner = start(folder, databaseSettings)
  await expect.poll(restartedRunner.output, { timeout: 60_000 }).toContain(`Open ${address}.`)
  expect((await fetch(`${address}/login`)).status).toBe(200)
})

test('an APP_URL with a port other than the one listened on is reported with the line to change', async () => {
  const folder = copyOfProject()
  const settings = await settingsFor(folder, await freePort())
  const runner = start(folder, { ...settings, APP_URL: 'http://localhost:2' })
  await expect
    .poll(runner.output, { timeout: 60_000 })
    .toContain(
      `APP_URL is http://localhost:2, but the server listens on port ${settings.PORT}, where forms are refused: put APP_URL=${settings.APP_URL} into .env, or PORT=2.\n`,
    )
})

test('the development runner prints the address to open, the address of the mailbox and no other', async () => {
  const runner = await develop()
  // The URL of a database server contains a user.
  const address = /https?:\/\/[^\s",]+|(?<!@)127\.0\.0\.1:\d+/g
  const addresses = () => new Set(runner.output().match(address))
  // The server accepts connections a moment before it says that it serves.
  await expect.poll(addresses).toContain(runner.origin)
  expect(runner.output()).toContain(
    `Open ${runner.origin}. Mails are kept at ${runner.origin}/_dev/mail.`,
  )
  expect(addresses()).toEqual(
    new Set([runner.origin, `${runner.origin}.`, `${runner.origin}/_dev/mail.`]),
  )
})

test('packages can be removed and reinstalled while the development runner runs', async () => {
  const runner = await develop()
  removePackages(runner.folder)
  const page = await openPage(`${runner.origin}/login`)
  const button = page.getByRole('button', { name: buttons.logIn, exact: true })
  const color = await button.evaluate((element) => getComputedStyle(element).backgroundColor)
  runner.edit('web/contract/words/en/buttons.ts', (text) =>
    text.replace("logIn: 'Log in'", "logIn: 'Come in'"),
  )
  await page.getByRole('dialog').waitFor()
  linkPackages(runner.folder)
  await page.getByRole('button', { name: 'Come in' }).waitFor()
  expect(color).not.toBe('rgba(0, 0, 0, 0)')
})

test('an open page shows changes of words, styles and brand colours by itself', async () => {
  const runner = await develop()
  const page = await openPage(`${runner.origin}/login`)
  runner.edit('web/contract/words/en/buttons.ts', (text) =>
    text.replace("logIn: 'Log in'", "logIn: 'Come in'"),
  )
  await page.getByRole('button', { name: 'Come in' }).waitFor()
  runner.edit('web/style.css', (text) => `${text}h1 { color: rgb(1, 2, 3) }\n`)
  await expect
    .poll(() => page.locator('h1').evaluate((heading) => getComputedStyle(heading).color))
    .toBe('rgb(1, 2, 3)')
  runner.edit('web/brand/colours.ts', (text) => text.replace(colours.bg[0], '#040506'))
  await expect
    .poll(() => page.locator('body').evaluate((body) => getComputedStyle(body).backgroundColor))
    .toBe('rgb(4, 5, 6)')
})

test('a page whose event connection opens only after a change shows the change by itself', async () => {
  const runner = await develop()
  const page = await newPage()
  const released = Promise.withResolvers<void>()
  await page.route('**/_dev/events', async (route) => {
    await released.promise
    await route.continue()
  })
  await page.goto(`${runner.origin}/login`)
  runner.edit('web/contract/words/en/buttons.ts', (text) =>
    text.replace("logIn: 'Log in'", "logIn: 'Come in'"),
  )
  await expect
    .poll(() => runner.output().match(/Ready after/g), { timeout: 60_000 })
    .toHaveLength(2)
  released.resolve()
  await page.getByRole('button', { name: 'Come in' }).waitFor()
})

test('a compile error is shown in the terminal and in the page until it is corrected', async () => {
  const runner = await develop()
  const page = await openPage(`${runner.origin}/login`)
  const originalText = runner.edit(group, (text) => `${text}const = 1\n`)
  await page
    .getByRole('dialog')
    .getByText(/login\.ts:\d+:6/)
    .waitFor()
  const answer = await page.goto(`${runner.origin}/register`)
  await page
    .locator('pre')
    .getByText(/login\.ts:\d+:6/)
    .waitFor()
  runner.edit(group, () => originalText)
  await page.getByRole('button', { name: buttons.createAccount }).waitFor()
  expect(answer?.status()).toBe(500)
  expect(runner.output()).toMatch(/login\.ts:\d+:6/)
})

test('pages are served as soon as the terminal reports the server ready after a compile error', async () => {
  const runner = await develop()
  const originalText = runner.edit(group, (text) => `${text}const = 1\n`)
  const times = { interval: 1 }
  await expect.poll(runner.output, times).toMatch(/login\.ts:\d+:6/)
  runner.edit(group, () => originalText)
  await expect.poll(() => runner.output().match(/Ready after/g), times).toHaveLength(2)
  const answer = await fetch(`${runner.origin}/login`)
  expect(answer.status).toBe(200)
})

test('an error in the very first start is shown in the terminal and in the page until it is corrected', async () => {
  const runner = await develop({ 'cmd/app/serve/serve.ts': breakStart })
  const page = await openPage(`${runner.origin}/login`)
  await page.getByText('Too early.').first().waitFor()
  runner.edit('cmd/app/serve/serve.ts', (text) => text.replace(earlyError, ''))
  await page.getByRole('button', { name: buttons.logIn, exact: true }).waitFor()
  expect(runner.output()).toContain(`${join(runner.folder, 'cmd/app/serve/serve.ts')}:`)
})

test('after a change of the languages the runner asks to be started again, until it is undone', async () => {
  const runner = await develop()
  const file = 'web/contract/languages.ts'
  const page = await openPage(`${runner.origin}/login`)
  const originalText = runner.edit(file, (text) =>
    text.replace(/ {2}de: .*\n/, (row) => `${row}  fr: { name: 'Français', direction: 'ltr' },\n`),
  )
  const advice = `${file} has changed, which is read once: end \`npm start\` and start it again.`
  await page.getByRole('dialog').getByText(advice).waitFor()
  expect(runner.output()).toContain(advice)
  runner.edit(file, () => originalText)
  await page.getByRole('button', { name: buttons.logIn, exact: true }).waitFor()
})

test('a blank new migration is reported, and the server starts and runs it once its SQL is written', async () => {
  const runner = await develop()
  const args = ['cmd/app/main.ts', 'migrate', 'new', 'add_pets']
  const options = { cwd: runner.folder, env: {}, encoding: 'utf8' } as const
  const result = spawnSync(process.execPath, args, options)
  const file = result.stdout.trim()
  const times = { timeout: 30_000 }
  await expect.poll(runner.output, times).toContain(`The migration ${basename(file)} is blank`)
  runner.edit(file, () => 'CREATE TABLE pets (id INTEGER);\n')
  await expect.poll(() => runner.output().match(/Ready after/g), times).toHaveLength(2)
  const answer = await fetch(`${runner.origin}/login`)
  expect(answer.status).toBe(200)
  // Only one that ran is compared with what it was.
  runner.edit(file, (text) => `${text}-- for later\n`)
  await expect
    .poll(runner.output, times)
    .toContain(`The migration ${basename(file)} has changed since it ran.`)
})

test('the development runner serves a mailbox and logs that mail goes to it', async () => {
  const runner = await develop()
  const mailbox = await fetch(`${runner.origin}/_dev/mail`)
  expect([mailbox.status, await mailbox.text()]).toEqual([
    200,
    expect.stringContaining('No mail yet'),
  ])
  // It accepts connections a moment before it says that it serves.
  await expect.poll(runner.output).toContain('"mail":"mailbox"')
})

test('what the development runner itself shows is not for a site whose name leads here', async () => {
  const runner = await develop({ 'cmd/app/serve/serve.ts': breakStart })
  const { port } = new URL(runner.origin)
  const at = (host: string) =>
    new Browser({ origin: `http://${host}:${port}`, port: Number(port), version: '' })
  const statuses = async (host: string) => {
    const accept = { headers: { Accept: 'text/html' } }
    const page = await at(host).document('/login', undefined, accept)
    return [page.status, (await at(host).document('/_dev/mail')).status]
  }
  expect(await statuses('evil.test')).toEqual([403, 403])
  expect(await statuses('localhost.evil.test')).toEqual([403, 403])
  expect((await at('evil.test').document('/_dev/events')).status).toBe(403)
  expect(await statuses('localhost')).toEqual([500, 200])
  expect(await statuses('127.0.0.1')).toEqual([500, 200])
  expect(await statuses('[::1]')).toEqual([500, 200])
})

test('the development runner reports a taken port and exits with code 1', async () => {
  const otherServer = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void otherServer.close())
  await once(otherServer, 'listening')
  const { port } = otherServer.address() as AddressInfo
  const folder = copyOfProject()
  const runner = start(folder, await settingsFor(folder, port))
  const [code] = await once(runner.process, 'close')
  expect([code, runner.output()]).toEqual([
    1,
    expect.stringContaining(`Port ${port} of 127.0.0.1 is taken.`),
  ])
})

type Change = (text: string) => string

// For such an error the output names the place too.
const earlyError = "throw new TypeError('Too early.')"

function breakStart(text: string): string {
  const start = '): Promise<number> {'
  return text.replace(start, `${start}\n${earlyError}`)
}

/** Starts developing a copy of the project on a free port, until the end of the test. */
async function develop(changes: Readonly<Record<string, Change>> = {}) {
  const folder = copyOfProject()
  const edit = (file: string, change: Change) => {
    const text = readFileSync(join(folder, file), 'utf8')
    writeFileSync(join(folder, file), change(text))
    return text
  }
  for (const [file, change] of Object.entries(changes)) edit(file, change)
  const settings = await settingsFor(folder, await freePort())
  const runner = start(folder, settings)
  await expect.poll(runner.output, { timeout: 60_000 }).toContain('Ctrl-C stops.')
  return { ...runner, origin: settings.APP_URL, folder, edit }
}

/** The runner uses the project's own database, whichever is under test. */
async function settingsFor(folder: string, port: number) {
  const isOwn = manifest.config.database === testedDatabase
  const databaseSettings = isOwn ? await settingsOfDatabase(folder) : {}
  return { ...databaseSettings, PORT: String(port), APP_URL: `http://localhost:${port}` }
}

function start(folder: string, settings: Readonly<Record<string, string>>) {
  const process = spawn(globalThis.process.execPath, ['cmd/app/dev.ts'], {
    cwd: folder,
    env: settings,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = collectOutput(process)
  const ended = once(process, 'close')
  onTestFinished(async () => {
    process.kill('SIGTERM')
    await ended
  })
  return { process, output }
}

function collectOutput({ stdout, stderr }: ChildProcess): () => string {
  let output = ''
  for (const stream of [stdout, stderr])
    stream?.on('data', (part: Buffer) => (output += String(part)))
  return () => output
}

/** Empties node_modules but keeps the folder, as `npm ci` does first. */
function removePackages(folder: string): void {
  for (const name of readdirSync(join(folder, 'node_modules')))
    rmSync(join(folder, 'node_modules', name), { recursive: true })
}

function databaseFiles(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith(`${appName}.db`))
}

async function openPage(address: string): Promise<Page> {
  const page = await newPage()
  await page.goto(address)
  return page
}

/** Returns a page of a browser; the test fails if the policy of what it opens blocked anything. */
async function newPage(): Promise<Page> {
  const context = await chromium().newContext()
  const errors: string[] = []
  context.on('console', (message) => {
    if (/Content.Security.Policy|Trusted/i.test(message.text())) errors.push(message.text())
  })
  onTestFinished(async () => {
    await context.close()
    expect(errors).toEqual([])
  })
  const page = await context.newPage()
  page.setDefaultTimeout(40_000)
  return page
}
