import { spawn, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync } from 'node:fs'
import { connect, createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import {
  emptyFolder,
  requiredSettings,
  serve,
  type Served,
  stopDuration,
} from '../../../internal/testing/processes/executable.ts'
import { ann, registration } from '../../../internal/testing/people.ts'
import { chosen, png } from '../../../internal/testing/formats/photos.ts'

test('a photo upload to a bucket that does not answer delays the stop by at most ten seconds', async () => {
  const bucket = await silentBucket()
  const app = await serve({ settings: bucket.settings })
  const cookie = await register(app)
  const form = new FormData()
  const { field, name, type, content } = chosen(png())
  form.append(field, new Blob([new Uint8Array(content)], { type }), name)
  const upload = fetch(`${app.origin}/settings/profile/photo`, {
    method: 'POST',
    headers: { Cookie: cookie },
    body: form,
  }).catch(() => 'cut')
  await expect.poll(() => bucket.requestLines().join()).toContain('PUT /photos/photos/')
  expect((await app.stop(15_000)).code).toBe(0)
  expect(await upload).toBe('cut')
  // Leaves a second for a busy machine.
  expect(stopDuration(app)).toBeLessThan(11_000)
})

test('a photo folder that does not answer does not delay the stop', async () => {
  const app = await serve({ settings: { FILES_PATH: silentFolder() } })
  const { code } = await app.stop()
  expect(code).toBe(0)
  expect(app.lines.map(({ message }) => message)).toEqual(['serving', 'stopping', 'stopped'])
})

test('a second signal ends the server with exit code 2 while a photo folder does not answer', async () => {
  const app = await serve({ settings: { FILES_PATH: silentFolder() } })
  // Otherwise it may have stopped before the second one comes.
  app.signal('SIGSTOP')
  app.signal('SIGTERM')
  app.signal('SIGINT')
  app.signal('SIGCONT')
  expect((await app.exit).code).toBe(2)
})

test('a log that nobody reads does not delay the stop', async () => {
  const app = await serve()
  app.log.leave()
  await ask(app, 1500)
  expect((await app.stop()).code).toBe(0)
})

test('a log that nobody reads drops lines, and a warning counts them once it is read again', async () => {
  const app = await serve()
  app.log.leave()
  await ask(app, 10_000)
  app.log.read()
  const lossWarning = () =>
    app.lines.find(({ message }) => message.startsWith('lines of the log were lost'))
  await expect.poll(lossWarning).toMatchObject({ level: 'warn', lines: expect.any(Number) })
  // A request's line is written after its answer, and so perhaps after that.
  const requests = () => app.lines.filter(({ message }) => message === 'request')
  await expect.poll(() => requests().length + Number(lossWarning()?.['lines'])).toBe(10_000)
})

test('a stop while the server is still loading ends with exit code 0 and creates no files', async () => {
  const folder = emptyFolder()
  const args = ['--import', stopAsItLoads, join(import.meta.dirname, '../main.ts')]
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: await requiredSettings(),
    stdio: 'inherit',
  })
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(readdirSync(folder)).toEqual([])
})

const stopAsItLoads = fileURLToPath(
  new URL('../../../internal/testing/processes/stop-as-it-loads.ts', import.meta.url),
)

/** A bucket that accepts requests and never answers. */
async function silentBucket() {
  const requestLines: string[] = []
  const server = createServer((socket) => {
    socket
      .on('error', () => {})
      .on('data', (part) => requestLines.push(String(part).split(' HTTP')[0] ?? ''))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const settings = {
    FILESYSTEM_DISK: 's3',
    AWS_ACCESS_KEY_ID: 'id',
    AWS_SECRET_ACCESS_KEY: 'secret',
    AWS_DEFAULT_REGION: 'eu-central-1',
    AWS_BUCKET: 'photos',
    AWS_ENDPOINT: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    AWS_USE_PATH_STYLE_ENDPOINT: 'true',
  }
  return { settings, requestLines: () => requestLines }
}

/** Creates a folder whose check at the start hangs, as on a dead disk: a pipe that nobody reads. */
function silentFolder(): string {
  const folder = join(emptyFolder(), 'files')
  mkdirSync(folder)
  execFileSync('mkfifo', [join(folder, 'check.part')])
  return folder
}

/** Returns the cookie of Ann, who has registered. */
async function register(app: Served): Promise<string> {
  const body = new URLSearchParams(registration(ann))
  const answer = await fetch(`${app.origin}/register`, { method: 'POST', redirect: 'manual', body })
  return answer.headers.getSetCookie().join('; ')
}

/** Sends over a hundred connections. */
async function ask(app: Served, times: number): Promise<void> {
  await Promise.all(Array.from({ length: 100 }, () => askRepeatedly(app, times / 100)))
}

async function askRepeatedly({ port }: Served, times: number): Promise<void> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1')
  onTestFinished(() => void socket.destroy())
  for (let n = 0; n < times; n++) {
    socket.write('GET /up HTTP/1.1\r\nHost: localhost\r\n\r\n')
    let answer = ''
    while (!answer.endsWith('\r\n\r\nup')) answer += String(await once(socket, 'data'))
  }
}
