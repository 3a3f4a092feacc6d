import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { allLogins } from '../../testing/database/rows.ts'
import { ann, bob, registeredBrowser, registration } from '../../testing/people.ts'
import { sendRaw } from '../../testing/network/raw-request.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { everyone } from '../guards.ts'
import { apiErrors } from '../../../web/contract/words/api.ts'
import type * as carrying from './hattip.ts'
import { listen } from './server.ts'

const standing = {
  'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'/),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': expect.stringContaining('publickey-credentials-get=(self)'),
  'x-request-id': expect.stringMatching(/^[a-z2-7]{26}$/),
}

test('an absolute URL as request target gets a 400 with security headers, and the connection is closed', async () => {
  const app = await testApp()
  const answer = await sendRaw(app.port, 'GET http://evil.test/ HTTP/1.1\r\nHost: app.test\r\n\r\n')
  const ofApi = 'GET http://app.test/api/user HTTP/1.1\r\nHost: app.test\r\n\r\n'
  const asJson = await sendRaw(app.port, ofApi)
  expect([asJson.status, JSON.parse(asJson.body)]).toEqual([400, { message: expect.any(String) }])
  expect(answer).toMatchObject({ status: 400, headers: { ...standing, connection: 'close' } })
})

test('an asterisk as request target is refused', async () => {
  const app = await testApp()
  const answer = await sendRaw(app.port, 'OPTIONS * HTTP/1.1\r\nHost: app.test\r\n\r\n')
  expect(answer).toMatchObject({ status: 400, headers: { ...standing, connection: 'close' } })
})

test('a request target over 8 KiB is refused with 414, and one of 8 KiB is accepted', async () => {
  const app = await testApp()
  const target = `/${'a'.repeat(8 * 1024)}`
  const refused = await sendRaw(app.port, `GET ${target} HTTP/1.1\r\nHost: app.test\r\n\r\n`)
  const taken = await app.browser().get(target.slice(0, -1))
  expect(refused).toMatchObject({ status: 414, headers: { ...standing, connection: 'close' } })
  expect(taken.status).toBe(404)
})

test('a request without a Host is refused', async () => {
  const app = await testApp()
  const answer = await sendRaw(app.port, 'GET / HTTP/1.1\r\n\r\n')
  expect(answer).toMatchObject({ status: 400, headers: { ...standing, connection: 'close' } })
})

test('a request with two Host headers is refused', async () => {
  const app = await testApp()
  const answer = await sendRaw(
    app.port,
    'GET / HTTP/1.1\r\nHost: app.test\r\nHost: evil.test\r\n\r\n',
  )
  expect(answer).toMatchObject({ status: 400, headers: { ...standing, connection: 'close' } })
})

test('TRACE is refused', async () => {
  const app = await testApp()
  const answer = await sendRaw(
    app.port,
    'TRACE / HTTP/1.1\r\nHost: app.test\r\nCookie: a=b\r\n\r\n',
  )
  expect(answer).toMatchObject({
    status: 405,
    headers: { ...standing, connection: 'close', allow: 'GET, HEAD, POST, PUT, PATCH, DELETE' },
  })
  expect(answer.body).not.toContain('a=b')
})

test('CONNECT is refused', async () => {
  const app = await testApp()
  const answer = await sendRaw(app.port, 'CONNECT evil.test:443 HTTP/1.1\r\nHost: app.test\r\n\r\n')
  expect(answer).toMatchObject({ status: 405, headers: { ...standing, connection: 'close' } })
})

test('an upgrade to another protocol is refused', async () => {
  const app = await testApp()
  const answer = await sendRaw(
    app.port,
    'GET / HTTP/1.1\r\nHost: app.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n',
  )
  expect(answer).toMatchObject({ status: 400, headers: { ...standing, connection: 'close' } })
})

test('a request that offers an upgrade to HTTP/2 or to TLS is answered over HTTP/1.1', async () => {
  const app = await testApp()
  const offer =
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n'
  const toTls =
    'GET /up HTTP/1.1\r\nHost: app.test\r\nUpgrade: TLS/1.2\r\nConnection: Upgrade\r\n\r\n'
  const upgrades = ['/up', '/login', '/api/openapi.json'].map((path) =>
    sendRaw(app.port, `GET ${path} HTTP/1.1\r\nHost: app.test\r\n${offer}\r\n`),
  )
  const form = 'Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 9\r\n'
  const sent = sendRaw(
    app.port,
    `POST /login HTTP/1.1\r\nHost: app.test\r\nOrigin: http://app.test\r\n${offer}${form}\r\nemail=a%40`,
  )
  const answers = await Promise.all([...upgrades, sendRaw(app.port, toTls), sent])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 303])
  // Node may lose what follows a request with Upgrade, so the connection ends.
  expect(new Set(answers.map(({ headers }) => headers['connection']))).toEqual(new Set(['close']))
})

test('an unknown expectation in Expect is refused', async () => {
  const app = await testApp()
  const answer = await sendRaw(
    app.port,
    'GET / HTTP/1.1\r\nHost: app.test\r\nExpect: a-gift\r\n\r\n',
  )
  expect(answer).toMatchObject({ status: 417, headers: { ...standing, connection: 'close' } })
})

test('a body that is asked about first and is too long is refused without a 100 Continue', async () => {
  const app = await testApp()
  const ask = (target: string, length: number) =>
    sendRaw(
      app.port,
      `POST ${target} HTTP/1.1\r\nHost: app.test\r\nOrigin: http://app.test\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`,
    )
  const asked = [ask('/login', 65_537), ask('/no-such-page', 65_537), ask('/api/user', 65_537)]
  const answers = await Promise.all(asked)
  expect(answers.map(({ status, headers }) => [status, headers['connection']])).toEqual([
    [413, 'close'],
    [413, 'close'],
    [413, 'close'],
  ])
})

test('a body that is asked about first and is short enough is read after a 100 Continue', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const body = new URLSearchParams({ email: ann.email, password: ann.password }).toString()
  const head = `POST /login HTTP/1.1\r\nHost: app.test\r\nOrigin: http://app.test\r\nExpect: 100-continue\r\n`
  const type = 'Content-Type: application/x-www-form-urlencoded\r\n'
  const socket = connect({ host: '127.0.0.1', port: app.port }).setEncoding('latin1')
  onTestFinished(() => void socket.destroy())
  socket.write(`${head}${type}Content-Length: ${body.length}\r\n\r\n`)
  const [invitation] = (await once(socket, 'data')) as [string]
  socket.write(body)
  const [answer] = (await once(socket, 'data')) as [string]
  expect(invitation).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1\.1 303 .*\r\nLocation: \/dashboard\r\n/is)
})

test('a request that is not HTTP is refused', async () => {
  const app = await testApp()
  const answer = await sendRaw(app.port, 'hello\r\n\r\n')
  expect(answer).toMatchObject({ status: 400, headers: { ...standing, connection: 'close' } })
})

test('a body with both Content-Length and Transfer-Encoding is refused', async () => {
  const app = await testApp()
  const answer = await sendRaw(
    app.port,
    'POST /login HTTP/1.1\r\nHost: app.test\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  )
  expect(answer).toMatchObject({ status: 400, headers: { ...standing, connection: 'close' } })
})

test('a transfer coding other than chunked is refused with 501, and a chunked body is read', async () => {
  const app = await testApp()
  const type = 'Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n'
  const sent = (lines: string, path = '/login') =>
    sendRaw(
      app.port,
      `POST ${path} HTTP/1.1\r\nHost: app.test\r\n${type}${lines}\r\n\r\n3\r\na=b\r\n0\r\n\r\n`,
    )
  const coded = [
    await sent('Transfer-Encoding: gzip, chunked'),
    await sent('Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked'),
    await sent('Transfer-Encoding: identity, chunked'),
  ]
  const ofApi = await sent('Transfer-Encoding: gzip, chunked', '/api/user')
  for (const answer of coded)
    expect(answer).toMatchObject({ status: 501, headers: { ...standing, connection: 'close' } })
  expect([ofApi.status, JSON.parse(ofApi.body)]).toEqual([501, { message: apiErrors[501] }])
  expect((await sent('Transfer-Encoding: Chunked')).status).toBe(303)
})

test('headers over 16 KiB are refused', async () => {
  const app = await testApp()
  const answer = await sendRaw(
    app.port,
    `GET / HTTP/1.1\r\nHost: app.test\r\nX: ${'a'.repeat(16 * 1024)}\r\n\r\n`,
  )
  expect(answer).toMatchObject({ status: 431, headers: { ...standing, connection: 'close' } })
})

test('a refusal before routing carries HSTS over https', async () => {
  const app = await testApp({ config: { origin: 'https://app.test', https: true } })
  const answer = await sendRaw(app.port, 'hello\r\n\r\n')
  expect(answer.headers['strict-transport-security']).toMatch(/^max-age=\d+/)
})

test('every refusal before routing has a Date', async () => {
  const app = await testApp()
  const refused = ['hello', 'CONNECT evil.test:443 HTTP/1.1\r\nHost: app.test', 'TRACE / HTTP/1.1']
  const answers = await Promise.all(refused.map((head) => sendRaw(app.port, `${head}\r\n\r\n`)))
  const dates = answers.map(({ headers }) => new Date(headers['date'] ?? '').toUTCString())
  expect(dates).toEqual(answers.map(({ headers }) => headers['date']))
})

test('a refusal before routing does not name the server software', async () => {
  const app = await testApp()
  const answer = await sendRaw(app.port, 'hello\r\n\r\n')
  expect(answer.headers).not.toHaveProperty('server')
  expect(answer.headers).not.toHaveProperty('x-powered-by')
})

/** Sends `text`, and keeps sending after the answer until the connection breaks. Resolves with its error. */
async function sendOn(port: number, text: string): Promise<unknown> {
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }).on('error', () => {})
  socket.write(text)
  await once(socket.resume(), 'end')
  return new Promise((resolve) => {
    const more = () => socket.write('more', (error) => (error ? resolve(error) : more()))
    more()
  })
}

test('a refused connection is closed even if the client keeps its half open', async () => {
  const app = await testApp()
  const gone = { code: expect.stringMatching(/EPIPE|ECONNRESET/) }
  expect(
    await sendOn(app.port, 'CONNECT evil.test:443 HTTP/1.1\r\nHost: app.test\r\n\r\n'),
  ).toMatchObject(gone)
  expect(await sendOn(app.port, 'hello\r\n\r\n')).toMatchObject(gone)
})

/** Returns the app's Node server, to inspect and shorten its limits: the real ones are 10 and 30 seconds. */
async function serverOf(app: TestApp): Promise<Server> {
  const servers: Server[] = []
  const look = (message: unknown) => servers.push((message as { server: Server }).server)
  subscribe('http.server.request.start', look)
  await app.browser().get('/up')
  unsubscribe('http.server.request.start', look)
  const [server] = servers
  if (!server) throw new Error('No request was seen to start.')
  return server
}

test('headers may take 10 seconds and a whole request 30', async () => {
  const server = await serverOf(await testApp())
  expect(server.headersTimeout).toBe(10_000)
  expect(server.requestTimeout).toBe(30_000)
})

test('headers that take too long are refused', async () => {
  const app = await testApp()
  const server = await serverOf(app)
  server.headersTimeout = 10
  const answer = await sendRaw(app.port, 'GET / HTTP/1.1\r\nHost: app.test\r\n')
  expect(answer).toMatchObject({ status: 408, headers: { ...standing, connection: 'close' } })
})

test('a body that takes too long is refused', async () => {
  const app = await testApp()
  const server = await serverOf(app)
  // Node checks both limits once the shorter one has passed.
  server.headersTimeout = 10
  server.requestTimeout = 10
  const answer = await sendRaw(
    app.port,
    'POST /login HTTP/1.1\r\nHost: app.test\r\nContent-Length: 9\r\n\r\nemail',
  )
  expect(answer).toMatchObject({ status: 408, headers: { ...standing, connection: 'close' } })
})

test('the client address is the peer’s when no proxy is trusted', async () => {
  const app = await testApp()
  const browser = app.browser()
  await browser.post('/register', registration(ann), {
    headers: { 'X-Forwarded-For': '203.0.113.9' },
  })
  expect(await allLogins(app.db)).toMatchObject([{ address: '127.0.0.1' }])
  expect(app.logLines.at(-1)?.facts).toMatchObject({ address: '127.0.0.1' })
})

test('the client address is the last one in X-Forwarded-For that is not a trusted proxy’s', async () => {
  const app = await testApp({ config: { trustedProxies: ['loopback', '10.0.0.0/8'] } })
  const forwarded = '198.51.100.1, ::ffff:203.0.113.9, 10.1.2.3'
  await app
    .browser()
    .post('/register', registration(ann), { headers: { 'X-Forwarded-For': forwarded } })
  expect(await allLogins(app.db)).toMatchObject([{ address: '203.0.113.9' }])
})

test('Host, X-Forwarded-Host and X-Forwarded-Proto have no effect on a response', async () => {
  const app = await testApp()
  const lie = { Host: 'evil.test', 'X-Forwarded-Host': 'evil.test', 'X-Forwarded-Proto': 'https' }
  const visit = await app
    .browser()
    .document('/register', registration(ann), { headers: lie, stay: true })
  const document = await app.browser().document('/', undefined, { headers: lie })
  expect(visit.location).toBe('/dashboard')
  expect(
    JSON.stringify(visit.headers) + document.body + JSON.stringify(document.headers),
  ).not.toContain('evil.test')
  expect(visit.headers['set-cookie']?.[0]).not.toContain('Secure')
})

test('mailed links and passkey options use the configured origin, not the request’s Host', async () => {
  const app = await testApp({ workers: true })
  const lie = { headers: { Host: 'evil.test', 'X-Forwarded-Host': 'evil.test' } }
  await app.browser().post('/register', registration(ann), lie)
  await app.browser().post('/forgot-password', { email: ann.email }, lie)
  await app.browser().post('/register/passkey', { name: bob.name, email: bob.email }, lie)
  const texts = [
    await app.outbox.nextTo(ann.email),
    await app.outbox.nextTo(ann.email),
    await app.outbox.nextTo(bob.email),
  ].map(({ text, html = '' }) => text + html)
  const options = await app.browser().postJson('/login/passkey/options', {}, lie)
  for (const text of texts) expect(text).toContain('http://app.test/')
  expect(texts.join('')).not.toContain('evil')
  expect(options.json).toMatchObject({ rpId: 'app.test' })
})

test('a second request on the same connection is answered', async () => {
  const app = await testApp()
  const one = 'POST /nowhere HTTP/1.1\r\nHost: app.test\r\nContent-Length: 3\r\n\r\na=b'
  const answer = await sendRaw(
    app.port,
    `${one}GET /up HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n`,
  )
  expect(answer.status).toBe(404)
  expect(answer.body).toMatch(/HTTP\/1\.1 200 OK[^]*up$/)
})

test('a request that gets a 404 is logged with the user', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await browser.get('/nowhere')
  expect(app.logLines.at(-1)).toMatchObject({
    level: 'info',
    message: 'request',
    facts: { method: 'GET', path: '/nowhere', status: 404, address: '127.0.0.1', user: 1 },
  })
})

test('a few pipelined requests are answered in order', async () => {
  const app = await testApp()
  const ahead = 'GET /up HTTP/1.1\r\nHost: app.test\r\n\r\n'.repeat(7)
  const last = 'GET /nowhere HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n'
  const { status, body } = await sendRaw(app.port, ahead + last)
  const rest = [...body.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  expect(status).toBe(200)
  expect(rest).toEqual([...Array.from({ length: 6 }, () => '200'), '404'])
})

test('a connection that pipelines many requests and reads no response is cut', async () => {
  const app = await testApp()
  const socket = connect({ host: '127.0.0.1', port: app.port })
  // The other end may see a reset.
  socket.on('error', () => {})
  socket.write('GET /login HTTP/1.1\r\nHost: app.test\r\n\r\n'.repeat(1000))
  await once(socket, 'close')
  const visit = await app.browser().get('/up')
  expect(visit.status).toBe(200)
  expect(app.logLines.length).toBeLessThan(20)
})

test('a request that is refused before routing is one log line', async () => {
  const app = await testApp()
  const answers = [
    await sendRaw(app.port, 'TRACE / HTTP/1.1\r\nHost: app.test\r\n\r\n'),
    await sendRaw(app.port, 'nonsense\r\n\r\n'),
    await sendRaw(app.port, 'CONNECT a:1 HTTP/1.1\r\nHost: app.test\r\n\r\n'),
    await sendRaw(
      app.port,
      'POST / HTTP/1.1\r\nHost: app.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 3\r\n\r\na',
    ),
  ]
  const refused = { level: 'info', message: 'request refused' }
  expect(answers.map(({ status }) => status)).toEqual([405, 400, 405, 400])
  expect(app.logLines).toEqual(
    answers.map(({ status, headers: { 'x-request-id': request } }) => ({
      ...refused,
      facts: { status, peer: '127.0.0.1', request },
    })),
  )
})

test('once listening, the server removes only its own error listener', async () => {
  const servers: Server[] = []
  const look = (message: unknown) => {
    const { server } = message as { server: Server }
    servers.push(server.on('error', heard))
  }
  subscribe('tracing:net.server.listen:asyncStart', look)
  await testApp()
  unsubscribe('tracing:net.server.listen:asyncStart', look)
  expect(servers.map((server) => server.listeners('error'))).toEqual([[heard]])
})

/** Another user's listener. */
function heard(): void {}

test('a connection whose client does not read the response is closed after the idle limit', async () => {
  const { server } = await sendingLarge({ silence: 200 })
  // `stop` resolves once every connection is closed, and the client closes none.
  await server.stop()
})

test('a response still being sent when the service stops is sent whole', async () => {
  const { server, socket } = await sendingLarge({ silence: 10_000 })
  const stopped = server.stop()
  // Longer than the interval of checks for idle connections.
  await expect(Promise.race([stopped, pause(200, 'still sending')])).resolves.toBe('still sending')
  let bytes = 0
  const ended = once(socket, 'end')
  socket.on('data', (part) => (bytes += part.length)).resume()
  await Promise.all([stopped, ended])
  expect(bytes).toBeGreaterThan(largeBody.length)
})

const largeBody = Buffer.alloc(64 * 1024 * 1024)
const sendLarge = () => ({ status: 200, headers: {}, body: largeBody })

/** Starts a server that sends more than the system buffers, and a client that reads nothing yet. */
async function sendingLarge({ silence }: { silence: number }) {
  const app = await testApp()
  const server = await listen(
    app,
    [{ method: 'GET', name: 'home', who: everyone, handler: sendLarge }],
    { silence },
  )
  const socket = connect({ host: '127.0.0.1', port: server.port })
  onTestFinished(() => void socket.destroy())
  socket.pause()
  socket.write('GET / HTTP/1.1\r\nHost: app.test\r\n\r\n')
  await expect.poll(() => app.logLines.map(({ message }) => message)).toContain('request')
  return { server, socket }
}

test('a request is answered without creating a Request or Response of undici', async () => {
  const made = vi.fn()
  vi.stubGlobal('Request', made)
  vi.stubGlobal('Response', made)
  onTestFinished(() => void vi.unstubAllGlobals())
  // Loaded again, as in a process that has answered nothing yet: a Request, once made, might be cached.
  const anew = './hattip.ts?anew'
  const { hattip } = (await import(/* @vite-ignore */ anew)) as typeof carrying
  const answer = { status: 200, headers: {}, body: 'an answer' }
  const server = createServer(
    hattip(
      async () => answer,
      'http://app.test',
      () => expect.fail(),
    ),
  )
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const { body } = await sendRaw(
    port,
    'GET / HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n',
  )
  expect(body).toBe('an answer')
  expect(made).not.toHaveBeenCalled()
})
