import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { errorWords } from '#words/errors'
import { guardWords } from '#words/guards'
import { publish } from '../../services/events.ts'
import { ann, bob, logIn, registeredBrowser } from '../../testing/people.ts'
import { publishMany } from '#testing/rows'
import { hideBroadcasts, showBroadcasts } from '../../testing/database/broadcast-rows.ts'
import { allLogins, deleteLogins } from '../../testing/database/rows.ts'
import { openStream } from '../../testing/network/event-stream.ts'
import { copyOf } from '../../testing/sessions.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import type { IncomingMessage } from 'node:http'
import type { Browser } from '../../testing/browser.ts'
import type { EventName } from '../../../web/contract/event-names.ts'

test('the event stream of a page delivers the events of its user as they are committed', async () => {
  const app = await testApp()
  const stream = await openStream(app.port, await registeredBrowser(app, ann))
  await tell(app, 1, 'notification')
  await tell(app, 1, 'verified')
  await stream.events('notification', 'verified')
  expect(stream).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, private',
      'x-accel-buffering': 'no',
    },
  })
})

test('an open stream removes its own listeners from the request and leaves other listeners in place', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const requests: IncomingMessage[] = []
  const look = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    requests.push(request.on('close', heard))
  }
  subscribe('http.server.request.start', look)
  await openStream(app.port, browser)
  unsubscribe('http.server.request.start', look)
  expect(requests.map((request) => request.listeners('close'))).toEqual([[heard]])
})

/** Another user's listener. */
function heard(): void {}

test('a stream opened with the age of its page delivers the events since the page was requested, once', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await tell(app, 1, 'verified')
  await app.pass({ seconds: 7 })
  // Bob's comes first: told to Ann, it would be taken for her own that comes last.
  await tell(app, 2, 'verified')
  await tell(app, 1, 'notification')
  await app.pass({ seconds: 1 })
  const stream = await openStream(app.port, browser, '?age=1500')
  await tell(app, 1, 'verified')
  await stream.events('notification', 'verified')
})

test('an event from when the clock was a day ahead is not sent to pages requested after the clock is corrected', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await app.pass({ days: 1 })
  await tell(app, 1, 'notification')
  await app.pass({ days: -1 })
  await tell(app, 1, 'verified')
  const stream = await openStream(app.port, browser, '?age=0')
  await tell(app, 1, 'verified')
  await stream.events('verified', 'verified')
})

test('a stream misses no event when it is requested a second after its page and that takes 4 seconds', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await browser.get('/dashboard')
  await tell(app, 1, 'notification')
  await app.pass({ seconds: 1 + 4 })
  const stream = await openStream(app.port, browser, '?age=1000')
  await stream.events('notification')
})

test('an event of a transaction that is rolled back is not sent', async () => {
  const app = await testApp()
  const stream = await openStream(app.port, await registeredBrowser(app, ann))
  const failed = app.db.transaction(async (tx) => {
    await publish(app, tx, 1, 'verified')
    throw new Error('not done')
  })
  await expect(failed).rejects.toThrow('not done')
  await tell(app, 1, 'notification')
  await stream.events('notification')
})

test('a stream starts at once, with a random retry delay of one to five seconds', async () => {
  const app = await testApp()
  const ann1 = await registeredBrowser(app, ann)
  const streams = await Promise.all([1, 2, 3, 4, 5, 6].map(() => openStream(app.port, ann1)))
  const pauses = streams.map((stream) => Number(/^retry: (\d+)\n\n$/.exec(stream.text())?.[1]))
  expect(pauses.filter((pause) => pause >= 1000 && pause < 5000)).toHaveLength(6)
  expect(new Set(pauses).size).toBeGreaterThan(1)
})

test('a user does not receive the events of another user', async () => {
  const app = await testApp()
  const anns = await openStream(app.port, await registeredBrowser(app, ann))
  const bobs = await openStream(app.port, await registeredBrowser(app, bob))
  await tell(app, 1, 'verified')
  await tell(app, 2, 'notification')
  // An event for Bob would come to Ann before this one.
  await tell(app, 1, 'verified')
  await Promise.all([anns.events('verified', 'verified'), bobs.events('notification')])
})

test('a guest who requests the stream gets a plain-text 401, and is not sent to the stream after logging in', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const guest = app.browser()
  const refused = await guest.document('/broadcasts', undefined, { stay: true })
  expect(refused).toMatchObject({ status: 401, body: guardWords.users })
  expect(refused.headers['content-type']).toBe('text/plain; charset=utf-8')
  const { email, password } = ann
  const visit = await guest.post('/login', { email, password }, { stay: true })
  expect(visit.location).toBe('/dashboard')
})

test('a user may have ten open streams, and the next one gets a 429 until one is closed', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const tenth = Array.from({ length: 10 }, () => openStream(app.port, browser))
  const [first] = await Promise.all(tenth)
  const refused = await browser.get('/broadcasts')
  expect(refused.status).toBe(429)
  expect(refused.headers['retry-after']).toBe('30')
  expect(refused.page.props).toMatchObject({ message: errorWords.streams })
  expect((await openStream(app.port, await registeredBrowser(app, bob))).status).toBe(200)
  first?.close()
  await expect.poll(async () => (await openStream(app.port, browser)).status).toBe(200)
})

test('open streams are counted on each server separately, and the refusal does not mention all devices', async () => {
  const one = await testApp()
  const browser = await registeredBrowser(one, ann)
  const other = await testApp({ config: one.config })
  await Promise.all(Array.from({ length: 10 }, () => openStream(one.port, browser)))
  const refused = await browser.get('/broadcasts')
  expect(refused.page.props).toMatchObject({ message: errorWords.streams })
  expect(errorWords.streams).not.toContain('on all')
  expect((await openStream(other.port, browser)).status).toBe(200)
})

test('of twenty streams requested at once, ten are opened', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const streams = Array.from({ length: 20 }, () => openStream(app.port, browser))
  const statuses = (await Promise.all(streams)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(10)
})

test('of sixteen streams pipelined on two connections, ten are opened, and they end with the connections', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const sockets = [1, 2].map(() => asking(app, browser, 8))
  await expect.poll(() => timesAsked(app)).toBe(16)
  expect(app.events.listening('users.1')).toBe(10)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => app.events.listening('users.1')).toBe(0)
})

test('a browser that disconnects while it requests a stream leaves none open', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  for (let times = 0; times < 12; times++) {
    const socket = asking(app, browser, 1)
    await once(socket, 'connect')
    setImmediate(() => socket.destroy())
  }
  await expect.poll(() => timesAsked(app)).toBe(12)
  await expect.poll(() => app.events.listening('users.1')).toBe(0)
})

test.each([
  ['the head of a request', 'GET /login HTTP/1.1\r\nHost: app.test\r\n'],
  ['the body of a form', 'POST /login HTTP/1.1\r\nHost: app.test\r\nContent-Length: 9\r\n\r\nem'],
])('a stream ends with a connection on which %s has arrived in part', async (_, part) => {
  const app = await testApp()
  const socket = asking(app, await registeredBrowser(app, ann), 1).resume()
  await expect.poll(() => app.events.listening('users.1')).toBe(1)
  socket.end(part)
  await expect.poll(() => app.events.listening('users.1')).toBe(0)
})

test('a HEAD request opens no stream', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const head = await browser.send('HEAD', '/broadcasts')
  expect(head.status).toBe(200)
  expect(head.headers['content-type']).toBe('text/event-stream')
  expect(app.events.listening('users.1')).toBe(0)
})

test('a browser that was logged out keeps its open stream, but cannot open another', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const stream = await openStream(app.port, browser)
  await deleteLogins(app.db)
  await tell(app, 1, 'notification')
  await stream.events('notification')
  stream.close()
  expect((await openStream(app.port, browser)).status).toBe(401)
})

test('opening a stream and reloading a page automatically do not extend the login', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const [before] = await allLogins(app.db)
  await app.pass({ hours: 1 })
  const stream = await openStream(app.port, browser)
  const reload = await browser.get('/verify-email', { headers: { 'X-Page-Unasked': 'true' } })
  expect([reload.status, reload.headers['set-cookie']]).toEqual([200, undefined])
  expect([stream.status, stream.headers['set-cookie']]).toEqual([200, undefined])
  expect(await allLogins(app.db)).toEqual([before])
  await app.pass({ hours: 1, seconds: 1 })
  expect((await openStream(app.port, browser)).status).toBe(401)
})

test('an automatic reload without a valid login is redirected and sets no cookie', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await deleteLogins(app.db)
  const unasked = { headers: { 'X-Page-Unasked': 'true' }, stay: true }
  const reload = await browser.get('/verify-email', unasked)
  expect([reload.status, reload.headers['set-cookie']]).toEqual([303, undefined])
})

test.each(['cookie', 'database'] as const)(
  'an automatic reload of an ended login that is answered after the next login does not end that login: %s',
  async (sessionStore) => {
    const app = await testApp({ config: { sessionStore } })
    const browser = await registeredBrowser(app, ann)
    const before = copyOf(app, browser)
    await deleteLogins(app.db)
    // A visit drops the cookie of the ended login, and the next login sets another.
    await browser.get('/login')
    await logIn(browser, ann)
    const unasked = { headers: { 'X-Page-Unasked': 'true' }, stay: true }
    const reload = await before.get('/verify-email', unasked)
    expect([reload.status, reload.headers['set-cookie']]).toEqual([303, undefined])
    expect((await browser.get('/verify-email')).user?.name).toBe('Ann')
  },
)

test('a stream sends a heartbeat every 25 seconds and ends after 15 minutes', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const app = await testApp()
  const stream = await openStream(app.port, await registeredBrowser(app, ann))
  vi.advanceTimersByTime(24_999)
  await tell(app, 1, 'notification')
  await stream.events('notification')
  expect(stream.text()).not.toContain(':\n\n')
  vi.advanceTimersByTime(1)
  await expect.poll(() => stream.text()).toMatch(/\n\n:\n\n$/)
  vi.advanceTimersByTime(15 * 60_000 - 25_001)
  await expect.poll(() => stream.text().match(/^:$/gm)?.length).toBe(35)
  vi.advanceTimersByTime(1)
  await stream.ended
  vi.useRealTimers()
})

test('a stream sends nothing before it can read events: its page would take it for open', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await hideBroadcasts(app.db)
  const opening = openStream(app.port, browser)
  await expect.poll(() => app.events.listening('users.1')).toBe(1)
  vi.advanceTimersByTime(25_000)
  await showBroadcasts(app.db)
  app.events.wake()
  expect((await opening).text()).toMatch(/^retry: /)
  vi.advanceTimersByTime(25_000)
  await expect.poll(async () => (await opening).text()).toMatch(/\n\n:\n\n$/)
})

test('a stream is closed when its browser stops reading it', async () => {
  const app = await testApp()
  const stream = await openStream(app.port, await registeredBrowser(app, ann))
  stream.pause()
  // More than the system's own socket buffers, which hold some megabytes.
  await publishMany(app.db, { channel: 'users.1', times: 400_000, at: app.now() })
  await expect.poll(() => app.events.listening('users.1')).toBe(0)
})

test('a browser that reads its stream receives a large burst of events in full', async () => {
  const app = await testApp()
  const stream = await openStream(app.port, await registeredBrowser(app, ann))
  await publishMany(app.db, { channel: 'users.1', times: 5_500, at: app.now() })
  await stream.events(...Array.from({ length: 5_500 }, () => 'notification'))
})

test('opening a stream writes a line with its user to the request log', async () => {
  const app = await testApp()
  await openStream(app.port, await registeredBrowser(app, ann))
  const { message, facts } = app.logLines.at(-1) ?? {}
  expect(message).toBe('request')
  expect(facts).toMatchObject({ method: 'GET', path: '/broadcasts', status: 200, user: 1 })
})

async function tell(app: TestApp, user: number, event: EventName): Promise<void> {
  await app.db.transaction((tx) => publish(app, tx, user, event))
}

/** Pipelines so many requests for the stream on one connection. */
function asking(app: TestApp, browser: Browser, times: number): Socket {
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const ask = `GET /broadcasts HTTP/1.1\r\nHost: app.test\r\nCookie: ${cookie}\r\n\r\n`
  const socket = connect(app.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  socket.write(ask.repeat(times))
  return socket
}

/** Counts the answered requests for the stream. */
function timesAsked({ logLines: logged }: TestApp): number {
  return logged.filter(({ facts }) => facts['path'] === '/broadcasts').length
}
