import { connect, type Socket } from 'node:net'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { serve, type Served } from '../../internal/testing/executable.ts'

test('told to stop, it lets go of connections kept open and ends with exit code 0', async () => {
  const app = await serve()
  const kept = await Promise.all([1, 2, 3].map(() => opened(app)))
  for (const connection of kept) connection.write(request('/up'))
  const answers = await Promise.all(kept.map(firstAnswer))
  const ended = await app.stop()
  expect(answers).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK', 'HTTP/1.1 200 OK'])
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  expect(app.lines.slice(-2).map(({ message }) => message)).toEqual(['stopping', 'stopped'])
})

test('an interrupt stops it likewise', async () => {
  const app = await serve()
  app.signal('SIGINT')
  expect(await app.ended).toMatchObject({ code: 0 })
})

test('a request in flight is answered, and nothing new is accepted', async () => {
  const app = await serve()
  const form = await startedForm(app)
  app.signal('SIGTERM')
  await logged(app, 'stopping')
  await refusing(app)
  form.write('rse')
  const answer = await firstAnswer(form)
  expect(answer).toBe('HTTP/1.1 303 See Other')
  expect(await app.ended).toMatchObject({ code: 0 })
})

test('a form that never comes whole holds it up for ten seconds at most, with exit code 0', async () => {
  const app = await serve()
  await startedForm(app)
  app.signal('SIGTERM')
  // What is killed after twelve seconds has no exit code: a second or two are left to a busy machine.
  const late = setTimeout(() => app.signal('SIGKILL'), 12_000)
  const { code } = await app.ended
  clearTimeout(late)
  expect(code).toBe(0)
})

test('a second signal ends it at once with exit code 2', async () => {
  const app = await serve()
  await startedForm(app)
  app.signal('SIGTERM')
  await logged(app, 'stopping')
  app.signal('SIGTERM')
  expect(await app.ended).toMatchObject({ code: 2 })
})

/** A form whose last three bytes are still to come: the server is at work on it. */
async function startedForm(app: Served): Promise<Socket> {
  const form = await opened(app)
  const body = 'email=ann@example.com&password=correct+horse'
  form.write(
    [
      'POST /login HTTP/1.1',
      `Host: localhost:${app.port}`,
      'Content-Type: application/x-www-form-urlencoded',
      `Content-Length: ${body.length}`,
      // Its answer tells that the request has been read as far as here.
      'Expect: 100-continue',
      '',
      '',
    ].join('\r\n'),
  )
  const continued = await firstAnswer(form)
  if (continued !== 'HTTP/1.1 100 Continue') throw new Error(`The form was answered: ${continued}`)
  form.write(body.slice(0, -3))
  return form
}

async function opened(app: Served): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port: app.port })
  socket.on('error', () => {})
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

function request(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
}

/** The first line of the next answer; empty when the connection ends without one. */
async function firstAnswer(socket: Socket): Promise<string> {
  const closed = once(socket, 'close').then(() => [''])
  const [part] = await Promise.race([once(socket, 'data'), closed])
  return String(part).split('\r\n')[0] ?? ''
}

async function logged(app: Served, message: string): Promise<void> {
  await expect.poll(() => app.lines.map((line) => line.message)).toContain(message)
}

/** Resolves once a new connection is turned away. */
async function refusing(app: Served): Promise<void> {
  await expect
    .poll(() =>
      fetch(`${app.origin}/up`).then(
        () => 'open',
        () => 'closed',
      ),
    )
    .toBe('closed')
}
