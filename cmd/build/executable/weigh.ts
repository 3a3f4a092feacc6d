import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../internal/base/program/free-port.ts'
import { type Language, languageNames, languages } from '../../../web/contract/languages.ts'
import { Refusal } from '../command-line.ts'

/**
 * Starts the executable, and prints its login page's bytes over the wire in each language. Throws a Refusal above
 * `limit`.
 */
export async function weigh(executable: string, limit: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'weigh-'))
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const app = spawn(resolve(executable), {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      APP_KEY: `base64:${randomBytes(32).toString('base64')}`,
      APP_URL: origin,
      HOST: '127.0.0.1',
      PORT: String(port),
      // Otherwise photos would be stored beside the executable.
      FILES_PATH: folder,
    },
  })
  const ended = once(app, 'exit')
  // The build may end before: if nobody reads its output any more, the next line of it throws outside this function.
  const leaveNothing = () => {
    app.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', leaveNothing)
  try {
    await untilServing(`${origin}/up`)
    for (const language of languageNames) await weighPage(`${origin}/login`, language, limit)
  } finally {
    process.off('exit', leaveNothing)
    app.kill()
    await ended
    rmSync(folder, { recursive: true })
  }
}

async function weighPage(url: string, language: Language, limit: number): Promise<void> {
  const languageHeader = { 'accept-language': language }
  const { origin, pathname } = new URL(url)
  const page = await fetch(url, { headers: languageHeader })
  const html = await page.text()
  const files = [...html.matchAll(/<(?:link|script)\b[^>]*?\b(?:href|src)="(\/[^"]+)"/g)].map(
    ([, file]) => file ?? '',
  )
  let total = 0
  for (const file of new Set([pathname, ...files, await passkeysOf(origin, files)])) {
    const { size, headers } = await sizeOnWire(origin + file, languageHeader)
    total += size
    console.log(
      `${file.padEnd(44)}${String(size).padStart(14)}  ${headers['content-encoding'] ?? 'as it is'}`,
    )
  }
  const title = `login page over the wire, ${language}`
  console.log(`${title.padEnd(44)}${String(total).padStart(14)}  of ${limit}`)
  if (total > limit)
    throw new Refusal(
      `The login page weighs ${total} bytes over the wire in ${languages[language].name}; ${limit} is the limit. Have what only other pages need in web/styles/ and in scripts of their own, or raise heaviestLogin in cmd/build/frontends/.`,
      1,
    )
}

/**
 * Returns the script for passkeys, which the page's scripts load in browsers that support them, so that it counts too.
 */
async function passkeysOf(origin: string, files: readonly string[]): Promise<string> {
  const scripts = files.filter((file) => file.endsWith('.js'))
  const texts = await Promise.all(scripts.map(async (file) => (await fetch(origin + file)).text()))
  const [file] = /\/assets\/passkeys-\w+\.js/.exec(texts.join()) ?? []
  if (!file) throw new Error('No script of the login page loads passkeys.')
  return file
}

/** Returns the bytes of an answer's body as transferred. */
async function sizeOnWire(
  url: string,
  languageHeader: Record<string, string>,
): Promise<{ size: number; headers: IncomingHttpHeaders }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    size: number
    headers: IncomingHttpHeaders
  }>()
  get(
    url,
    { headers: { ...languageHeader, accept: 'text/html,*/*', 'accept-encoding': 'br' } },
    (answer) => {
      let size = 0
      answer.on('data', (part: Buffer) => (size += part.length))
      answer.on('end', () => {
        if (answer.statusCode === 200) resolve({ size, headers: answer.headers })
        else reject(new Error(`${url} answered ${answer.statusCode}`))
      })
    },
  ).on('error', reject)
  return promise
}

async function untilServing(url: string): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok) return
    await pause(20)
  }
  throw new Error(`${url} did not answer within 10 s`)
}
