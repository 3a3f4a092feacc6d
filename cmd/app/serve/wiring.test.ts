import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  emptyFolder,
  requiredSettings,
  run,
  serve,
} from '../../../internal/testing/processes/executable.ts'

/** Returns the log of a start that has a reason to warn, and that ends because its port is taken. */
async function startWarnings(settings: Readonly<Record<string, string>>): Promise<string> {
  const folder = emptyFolder()
  const { APP_KEY, APP_URL } = await requiredSettings()
  // Secrets that others may read, and a port that it may not use.
  writeFileSync(join(folder, '.env'), `APP_KEY=${APP_KEY}\n`, { mode: 0o644 })
  const occupant = await serve()
  const { stdout } = await run([], {
    folder,
    settings: { APP_URL, PORT: String(occupant.port), ...settings },
  })
  return stdout
}

test('LOG_FORMAT and LOG_LEVEL apply to the log, which is JSON by default without a terminal', async () => {
  const [asJson, asText, atError] = await Promise.all([
    startWarnings({}),
    startWarnings({ LOG_FORMAT: 'text' }),
    startWarnings({ LOG_LEVEL: 'error' }),
  ])
  expect(JSON.parse(asJson.split('\n')[0] ?? '')).toMatchObject({ level: 'warn' })
  expect(asText).toMatch(/^\d{4}-\d\d-\d\dT\S+Z WARN +\S/)
  expect(atError).toBe('')
})

test('the server listens only on HOST, which is 127.0.0.1 by default', async () => {
  const { port } = await serve()
  const otherServer = await serve({ settings: { HOST: '127.0.0.2' } })
  expect([await isUp('127.0.0.1', port), await isUp('127.0.0.2', port)]).toEqual([true, false])
  expect(await isUp('127.0.0.2', otherServer.port)).toBe(true)
  expect(await isUp('127.0.0.1', otherServer.port)).toBe(false)
})

test('the executable ignores NODE_OPTIONS', async () => {
  const { origin } = await serve({ settings: { NODE_OPTIONS: '--no-such-option' } })
  expect((await fetch(`${origin}/up`)).status).toBe(200)
})

// Only Linux lists a process's threads with their names.
test.runIf(process.platform === 'linux')(
  'password hashing leaves four threads for files',
  async () => {
    const { origin, folder } = await serve()
    const body = new URLSearchParams({ email: 'nobody@example.com', password: 'correct horse' })
    await fetch(`${origin}/login`, { method: 'POST', body, redirect: 'manual' })
    const workers = threadsOf(processIn(folder)).filter((name) => name.startsWith('libuv-worker'))
    expect(workers).toHaveLength(availableParallelism() + 4)
  },
)

function isUp(host: string, port: number): Promise<boolean> {
  return fetch(`http://${host}:${port}/up`).then(
    ({ ok }) => ok,
    () => false,
  )
}

function processIn(folder: string): string {
  const processId = readdirSync('/proc').find((id) => {
    try {
      return /^\d+$/.test(id) && readlinkSync(`/proc/${id}/cwd`) === folder
    } catch {
      // It has ended meanwhile.
      return false
    }
  })
  if (processId === undefined) throw new Error(`No process runs in ${folder}.`)
  return processId
}

function threadsOf(id: string): readonly string[] {
  const threads = `/proc/${id}/task`
  return readdirSync(threads).map((thread) => readFileSync(`${threads}/${thread}/comm`, 'utf8'))
}
