import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { sendRaw } from '../../testing/network/raw-request.ts'
import { testApp } from '../../testing/test-app.ts'
import { everyone } from '../guards.ts'
import { listen, type Listening } from './server.ts'
import type { Answer } from '../answer.ts'

/** Starts a server of one route, which the test stops. */
async function serving(handler: () => Promise<Answer> | Answer): Promise<Listening> {
  const app = await testApp()
  return listen(app, [{ method: 'GET', name: 'home', who: everyone, handler }])
}

async function opened({ port }: Listening): Promise<Socket> {
  const socket = connect({ host: '127.0.0.1', port })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket
}

const request = 'GET / HTTP/1.1\r\nHost: app.test\r\n\r\n'

/** Reads the connection until it is closed; after a reset the rest is missing. */
async function rest(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('latin1').on('data', (part: string) => (text += part))
  socket.on('error', () => {})
  await once(socket, 'close')
  return text
}

/** Starts a server that works on the first of `requests` until the test lets it answer. */
async function working(requests: string) {
  const begun = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<Answer>()
  const server = await serving(() => {
    begun.resolve()
    return answer.promise
  })
  const socket = await opened(server)
  const text = rest(socket)
  socket.write(requests)
  await begun.promise
  return {
    server,
    text,
    answer: () => answer.resolve({ status: 200, headers: {}, body: 'home' }),
  }
}

test('requests sent before the stop are answered, though their connections may not be accepted yet', async () => {
  const server = await serving(() => ({ status: 200, headers: {}, body: 'home' }))
  // The clients' ends are open before the server has accepted all connections.
  const sockets = await Promise.all(Array.from({ length: 50 }, () => opened(server)))
  const answers = sockets.map(rest)
  for (const socket of sockets) socket.write(request)
  await server.stop()
  const answered = (await Promise.all(answers)).filter((text) => text.endsWith('home'))
  expect(answered).toHaveLength(50)
})

test('a response sent while the service stops has Connection: close', async () => {
  const { server, text, answer } = await working(request)
  const stopped = server.stop()
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  answer()
  await stopped
  expect(await text).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\nConnection: close\r\n.*home$/s)
})

test('pipelined requests are all answered before the service stops', async () => {
  const { server, text, answer } = await working(request.repeat(3))
  const stopped = server.stop()
  answer()
  await stopped
  expect((await text).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3)
})

test('with a grace period, a request on a connection opened just before the stop is answered', async () => {
  const server = await serving(() => ({ status: 200, headers: {}, body: 'home' }))
  const socket = await opened(server)
  const text = rest(socket)
  const stopped = server.stop(60_000)
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  socket.write(request)
  await stopped
  expect(await text).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\nConnection: close\r\n.*home$/s)
})

test('with a grace period, the next request on a kept-alive connection is answered', async () => {
  const server = await serving(() => ({ status: 200, headers: {}, body: 'home' }))
  const socket = await opened(server)
  const text = rest(socket)
  socket.write(request)
  await once(socket, 'data')
  const stopped = server.stop(60_000)
  for (let turn = 0; turn < 20; turn++) await nextTurn()
  socket.write(request)
  await stopped
  expect((await text).match(/HTTP\/1\.1 200|Connection: [a-z-]+/g)).toEqual([
    'HTTP/1.1 200',
    'Connection: keep-alive',
    'HTTP/1.1 200',
    'Connection: close',
  ])
})

/** Sends more than the system holds for a connection, and the end once that has been read. */
async function sendLong(out: Writable): Promise<void> {
  out.write(Buffer.alloc(16 * 1024 * 1024, 'x'))
  await once(out, 'drain')
  out.end('last')
}

/** Sends a part, and lets the connection time out as it does after a long silence. */
function sendThenRest(out: Writable): void {
  out.write('first')
  ;(out as ServerResponse).socket?.setTimeout(50)
}

const behindAnswers = [
  ['what is no request', 'junk\r\n\r\n', '400 Bad Request'],
  ['a tunnel', 'CONNECT a:1 HTTP/1.1\r\nHost: app.test\r\n\r\n', '405 Method Not Allowed'],
  [
    'another protocol',
    'GET / HTTP/1.1\r\nHost: app.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
    '400 Bad Request',
  ],
] as const

test.each(behindAnswers)(
  '%s is refused only after the requests before it are answered',
  async (_, behind, refusal) => {
    const { text, answer } = await working(request.repeat(2) + behind)
    answer()
    expect((await text).match(/HTTP\/1\.1 .+|home/g)).toEqual([
      'HTTP/1.1 200 OK',
      'home',
      'HTTP/1.1 200 OK',
      'home',
      `HTTP/1.1 ${refusal}`,
    ])
  },
)

test.each(behindAnswers)(
  'a connection that is reset while %s waits behind a response ends that response',
  async (_, behind) => {
    const sending = Promise.withResolvers<Writable>()
    const answers: Answer[] = [{ status: 200, headers: {}, body: sending.resolve }]
    const server = await serving(
      () => answers.shift() ?? { status: 200, headers: {}, body: 'home' },
    )
    const socket = await opened(server)
    const text = rest(socket)
    socket.write(request + request + behind)
    const out = await sending.promise
    const ended = once(out, 'close')
    out.write('first')
    await once(socket, 'data')
    socket.resetAndDestroy()
    await ended
    await text
    const other = await opened(server)
    other.write(request)
    expect(String(await once(other, 'data'))).toMatch(/^HTTP\/1\.1 200/)
  },
)

test.each(behindAnswers)(
  'a response larger than the buffers is sent whole while %s waits behind it',
  async (_, behind) => {
    const server = await serving(() => ({
      status: 200,
      headers: {},
      body: (out) => void sendLong(out),
    }))
    const socket = await opened(server)
    socket.write(request + behind)
    expect((await rest(socket)).match(/HTTP\/1\.1 .+|last/g)).toMatchObject({
      1: 'last',
      length: 3,
    })
  },
)

test.each(behindAnswers)(
  'a silent connection is closed while %s waits behind its response',
  async (_, behind) => {
    const server = await serving(() => ({ status: 200, headers: {}, body: sendThenRest }))
    const socket = await opened(server)
    socket.write(request + behind)
    expect(await rest(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n.*first\r\n$/s)
  },
)

test('a request with Transfer-Encoding: identity gets a single 501, which is the last response', async () => {
  const app = await testApp()
  const { status, body } = await sendRaw(
    app.port,
    'GET / HTTP/1.1\r\nHost: app.test\r\nTransfer-Encoding: identity\r\n\r\n',
  )
  expect([status, body]).toEqual([501, 'Not Implemented\n'])
  expect(app.logLines.map(({ facts }) => facts)).toMatchObject([{ status: 501 }])
})

test('a request that was answered before its body arrived gets no second response', async () => {
  const server = await serving(() => ({ status: 200, headers: {}, body: 'home' }))
  const socket = await opened(server)
  const text = rest(socket)
  socket.write('GET / HTTP/1.1\r\nHost: app.test\r\nContent-Length: 9\r\n\r\nhalf')
  await once(socket, 'data')
  socket.end()
  expect((await text).match(/HTTP\/1\.1 .+|home/g)).toEqual(['HTTP/1.1 200 OK', 'home'])
})

test('a request after one that was answered before its body arrived is refused if it cannot be read', async () => {
  const server = await serving(() => ({ status: 200, headers: {}, body: 'home' }))
  const socket = await opened(server)
  const text = rest(socket)
  socket.write('GET / HTTP/1.1\r\nHost: app.test\r\nContent-Length: 8\r\n\r\nhalf')
  await once(socket, 'data')
  socket.write('restjunk\r\n\r\n')
  expect((await text).match(/HTTP\/1\.1 4.+/g)).toEqual(['HTTP/1.1 400 Bad Request'])
})

test('a response being sent is not broken by junk that follows its request', async () => {
  const sending = Promise.withResolvers<Writable>()
  const answers: Answer[] = [{ status: 200, headers: {}, body: sending.resolve }]
  const server = await serving(() => answers.shift() ?? { status: 200, headers: {}, body: 'home' })
  const socket = await opened(server)
  const text = rest(socket)
  socket.write(request)
  const out = await sending.promise
  out.write('first')
  await once(socket, 'data')
  socket.write('junk\r\n\r\n')
  // By the time that another connection is served the first one was read.
  const other = await opened(server)
  other.write(request)
  await once(other, 'data')
  out.end('last')
  expect((await text).match(/HTTP\/1\.1 .+|first|last/g)).toEqual([
    'HTTP/1.1 200 OK',
    'first',
    'last',
    'HTTP/1.1 400 Bad Request',
  ])
})
