import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { settingsOfDatabase } from '#testing/address'
import { executable } from '../../../internal/testing/processes/build.ts'
import {
  emptyFolder,
  requiredSettings,
  serve,
  type Served,
  stopDuration,
} from '../../../internal/testing/processes/executable.ts'
import { appName } from '../../../web/contract/name.ts'
import { startSmtp } from '../../../internal/testing/network/smtp.ts'
import { emailOf, fill, password } from '../../../internal/testing/database/fill-database.ts'

test('a stop closes keep-alive connections and ends with exit code 0', async () => {
  const app = await serve()
  const connections = await Promise.all([1, 2, 3].map(() => openConnection(app)))
  for (const connection of connections) connection.write(request('/up'))
  const answers = await Promise.all(connections.map(firstAnswer))
  const result = await app.stop()
  expect(answers).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK', 'HTTP/1.1 200 OK'])
  expect(result).toMatchObject({ code: 0, stderr: '' })
  expect(app.lines.slice(-2).map(({ message }) => message)).toEqual(['stopping', 'stopped'])
})

test('SIGINT stops the server with exit code 0', async () => {
  const app = await serve()
  app.signal('SIGINT')
  expect(await app.exit).toMatchObject({ code: 0 })
})

test.for(['SIGUSR1', 'SIGHUP'] as const)(
  '%s neither stops the server nor opens a debugger',
  async (signal) => {
    const app = await serve()
    app.signal(signal)
    expect((await app.browser().get('/up')).status).toBe(200)
    expect(await app.stop()).toMatchObject({ code: 0, stderr: '' })
    // The signal has not stopped the server before the request.
    const messages = app.lines.map(({ message }) => message)
    expect(messages.slice(-3)).toEqual(['request', 'stopping', 'stopped'])
  },
)

test('the server stops in order when its terminal ends', async () => {
  const folder = emptyFolder()
  const settings = { ...(await settingsOfDatabase(folder)), ...(await requiredSettings()) }
  const terminal = spawn('/usr/bin/script', ['-qc', `exec '${executable}' > log`, '/dev/null'], {
    cwd: folder,
    env: { ...settings, SHELL: '/bin/sh' },
    stdio: 'ignore',
  })
  onTestFinished(() => void terminal.kill('SIGKILL'))
  await expect.poll(() => linesOf(folder)).toContain('serving')
  terminal.kill('SIGKILL')
  await expect.poll(() => linesOf(folder)).toContain('stopped')
})

test('a stopping server answers the request in flight and accepts no new connection', async () => {
  const app = await serve()
  const form = await startForm(app)
  app.signal('SIGTERM')
  await untilLogged(app, 'stopping')
  await untilRefusing(app)
  form.write('rse')
  const answer = await firstAnswer(form)
  expect(answer).toBe('HTTP/1.1 303 See Other')
  expect(await app.exit).toMatchObject({ code: 0 })
})

test('an incomplete form delays the stop by at most ten seconds, and the exit code is 0', async () => {
  const app = await serve()
  await startForm(app)
  const { code } = await app.stop(15_000)
  expect(code).toBe(0)
  // Leaves a second for a busy machine.
  expect(stopDuration(app)).toBeLessThan(11_000)
})

test('a stop amid 500 streams, 50 unfinished forms and two hanging mails answers every form and exits with code 0', async () => {
  const smtp = await startSmtp({ hangs: 'content' })
  const app = await serve({ settings: smtp.settings })
  await fill(app.database, 50)
  for (const user of [1, 2]) await post(app, '/forgot-password', { email: emailOf(user) })
  await expect.poll(() => smtp.connections).toBe(2)
  const users = await oneAfterAnother(50, (n) => logIn(app, n + 1))
  const streams = await oneAfterAnother(500, (n) => openStream(app, users[n % 50] ?? ''))
  const forms = await oneAfterAnother(50, () => startForm(app, '/forgot-password'))
  app.signal('SIGTERM')
  const killTimer = setTimeout(() => app.signal('SIGKILL'), 15_000)
  // The streams end at once, before running work.
  await Promise.all(streams.map(({ ended }) => ended))
  for (const form of forms) form.write('rse')
  const answers = await Promise.all(forms.map(firstAnswer))
  const { code } = await app.exit
  clearTimeout(killTimer)
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 303 See Other']))
  expect(code).toBe(0)
  expect(stopDuration(app)).toBeLessThan(11_000)
  const isComplete = streams.map(({ text }) => text().endsWith('0\r\n\r\n'))
  expect(isComplete.filter(Boolean)).toHaveLength(500)
})

test('a second signal ends the server at once with exit code 2', async () => {
  const app = await serve()
  await startForm(app)
  app.signal('SIGTERM')
  await untilLogged(app, 'stopping')
  app.signal('SIGTERM')
  expect(await app.exit).toMatchObject({ code: 2 })
})

/** Returns the messages of a log file; none if there is no file. */
async function linesOf(folder: string): Promise<string[]> {
  const log = await readFile(join(folder, 'log'), 'utf8').catch(() => '')
  const lines = log.split('\n').filter((line) => line.endsWith('}'))
  return lines.map((line) => (JSON.parse(line) as { message: string }).message)
}

/** Starts a form whose last three bytes are still to come, so that the server is working on it. */
async function startForm(app: Served, path = '/login'): Promise<Socket> {
  const form = await openConnection(app)
  const body = 'email=ann@example.com&password=correct+horse'
  form.write(
    [
      `POST ${path} HTTP/1.1`,
      `Host: localhost:${app.port}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
      // Its interim answer shows that the request has been read so far.
      'Expect: 100-continue',
      '',
      '',
    ].join('\r\n'),
  )
  const continueAnswer = await firstAnswer(form)
  if (continueAnswer !== 'HTTP/1.1 100 Continue')
    throw new Error(`The form was answered: ${continueAnswer}`)
  form.write(body.slice(0, -3))
  return form
}

/** Logs in a user created by `fill`, and returns the cookie. */
async function logIn(app: Served, user: number): Promise<string> {
  const answer = await post(app, '/login', { email: emailOf(user), password })
  return (
    answer.headers.getSetCookie().find((cookie) => cookie.startsWith(`${appName}_session=`)) ?? ''
  )
}

function post(app: Served, path: string, form: Readonly<Record<string, string>>) {
  return fetch(app.origin + path, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(form),
  })
}

/** Opens an event stream on a connection of its own, and collects what arrives. */
async function openStream(app: Served, cookie: string) {
  const socket = await openConnection(app)
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => (text += part))
  const ended = once(socket, 'end')
  socket.write(
    `GET /broadcasts HTTP/1.1\r\nHost: localhost:${app.port}\r\nCookie: ${cookie.split(';')[0]}\r\n\r\n`,
  )
  await once(socket, 'data')
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(`The stream was answered: ${text}`)
  return { ended, text: () => text }
}

async function oneAfterAnother<Result>(
  count: number,
  make: (n: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  for (let n = 0; n < count; n++) results.push(await make(n))
  return results
}

async function openConnection(app: Served): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: app.port })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

function request(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
}

/** Returns the first line of the next answer; empty if the connection ends without one. */
async function firstAnswer(socket: Socket): Promise<string> {
  const closed = once(socket, 'close').then(() => [''])
  const [part] = await Promise.race([once(socket, 'data'), closed])
  return String(part).split('\r\n')[0] ?? ''
}

async function untilLogged(app: Served, message: string): Promise<void> {
  await expect.poll(() => app.lines.map((line) => line.message)).toContain(message)
}

/** Resolves once a new connection is refused. */
async function untilRefusing(app: Served): Promise<void> {
  await expect
    .poll(() =>
      fetch(`${app.origin}/up`).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed')
}
