import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../base/program/free-port.ts'
import { ann, registration } from '../../testing/people.ts'
import { copyOfProject } from '../../testing/processes/copy-of-project.ts'

/** Does what `npm start` does in a folder, until it is stopped. */
async function start(folder: string) {
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const runner = spawn(process.execPath, ['cmd/app/start.ts'], {
    cwd: folder,
    // With the PATH, in which root finds a program to run the server as another user.
    env: { PATH: process.env['PATH'] ?? '', PORT: String(port), APP_URL: origin },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = once(runner, 'close')
  let output = ''
  for (const stream of [runner.stdout, runner.stderr])
    stream.on('data', (part: Buffer) => (output += String(part)))
  onTestFinished(async () => {
    runner.kill('SIGTERM')
    await ended
  })
  await expect.poll(() => output, { timeout: 60_000 }).toContain('Ctrl-C stops.')
  const stop = async () => {
    runner.kill('SIGINT')
    return ((await ended) as [number | null])[0]
  }
  return { origin, output: () => output, stop }
}

/** Sends a form, and returns where its answer leads. */
async function post(origin: string, path: string, fields: Record<string, string>) {
  const form = { body: new URLSearchParams(fields), headers: { Origin: origin } }
  const answer = await fetch(origin + path, { method: 'POST', redirect: 'manual', ...form })
  return answer.headers.get('Location')
}

test(
  'without DB_URL the development runner starts and stops a database server of its own, which keeps its data',
  { timeout: 150_000 },
  async () => {
    const folder = copyOfProject()
    const manifest = join(folder, 'package.json')
    const text = readFileSync(manifest, 'utf8')
    writeFileSync(manifest, text.replace(/"database": "\w+"/, '"database": "postgres"'))
    const first = await start(folder)
    const registered = await post(first.origin, '/register', registration(ann))
    const code = await first.stop()
    const second = await start(folder)
    const loggedIn = await post(second.origin, '/login', registration(ann))
    expect([registered, code, loggedIn]).toEqual(['/dashboard', 0, '/dashboard'])
    expect(first.output()).toMatch(/^PostgreSQL keeps its data in \.postgres, and is reached at /m)
    expect(existsSync(join(folder, '.postgres/data/postmaster.pid'))).toBe(true)
    await second.stop()
    expect(existsSync(join(folder, '.postgres/data/postmaster.pid'))).toBe(false)
  },
)
