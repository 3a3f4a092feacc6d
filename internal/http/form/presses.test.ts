import { expect, onTestFinished, test, vi } from 'vitest'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { heldApp } from '../../testing/held-app.ts'
import { ann, bob, logIn, registeredBrowser, registration } from '../../testing/people.ts'
import { allUsers } from '../../testing/database/rows.ts'
import { copyOf } from '../../testing/sessions.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { allTokens } from '../../testing/database/token-rows.ts'
import { turnOn, verifiedBrowser } from '../../testing/two-factor.ts'
import { everyone } from '../guards.ts'
import { redirectAway } from '../reply.ts'
import { noStore, type Answer } from '../answer.ts'
import { routes } from '../routes.ts'
import { serve } from '../serve.ts'
import { testAssets } from '../../testing/assets.ts'
import type { Browser, Visit } from '../../testing/browser.ts'
import type { Context } from '../context.ts'
import type { Incoming } from '../arrived.ts'

// If a connection breaks before any of the answer arrives, the browser or the person sends the form again:
// the second request gets the answer of the first, and nothing is done twice.

type Sent = readonly [url: string, fields: Readonly<Record<string, string>>]

const token: Sent = ['/settings/tokens', { name: 'CI', abilities: 'user:read', expiry: '30' }]
const press = 'q3J0c2V0Y2V0ZXJhL2FuZCtzby1vbjEyMzQ1Njc4OTA='
const headers = { 'X-Page-Press': press }
const pressed = { headers, stay: true }
const password = 'another word'
const change: Sent = [
  '/settings/password',
  { _method: 'PUT', current_password: ann.password, password, password_confirmation: password },
]
const deletion: Sent = ['/settings/profile', { _method: 'DELETE', password: ann.password }]

/** Sends a form twice with the same cookies: the first answer is lost. Returns both answers. */
async function sentTwice(app: TestApp, browser: Browser, sent: Sent): Promise<[Visit, Visit]> {
  const lost = copyOf(app, browser)
  return [await lost.post(...sent, pressed), await browser.post(...sent, pressed)]
}

/** Sends a form twice: the first answer arrives, but not the page it leads to. Returns the second's page. */
async function pageLost(app: TestApp, browser: Browser, sent: Sent): Promise<Visit> {
  const { location = '' } = await browser.post(...sent, pressed)
  await copyOf(app, browser).get(location)
  return browser.post(...sent, { headers })
}

function answerOf({ status, location, headers }: Visit): unknown {
  return [status, location, headers['set-cookie']?.map((cookie) => cookie.replace(/=.*/, ''))]
}

async function names(app: TestApp): Promise<string[]> {
  return (await allTokens(app.db)).map(({ name }) => name)
}

for (const sessionStore of ['cookie', 'database'] as const) {
  const open = () => testApp({ config: { sessionStore } })

  test(`a repeated submission creates no second token, and shows the first: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verifiedBrowser(app)
    const [first, again] = await sentTwice(app, browser, token)
    expect([again.status, again.location]).toEqual([first.status, first.location])
    expect(await names(app)).toEqual(['CI'])
    expect((await browser.get(token[0])).flash.token).toMatch(/_[a-z2-7]{52}$/)
  })

  test(`a submission repeated after its next page was lost shows the first token again: ${sessionStore}`, async () => {
    const app = await open()
    const visit = await pageLost(app, await verifiedBrowser(app), token)
    expect(visit.flash.token).toMatch(/_[a-z2-7]{52}$/)
    expect(await names(app)).toEqual(['CI'])
  })

  test(`a repeated registration logs in to the account that the first one created: ${sessionStore}`, async () => {
    const app = await open()
    const browser = app.browser()
    const [first, again] = await sentTwice(app, browser, ['/register', registration(ann)])
    expect(answerOf(again)).toEqual(answerOf(first))
    expect((await browser.get('/verify-email')).user?.name).toBe('Ann')
    expect(await allUsers(app.db)).toHaveLength(1)
  })

  test(`a repeated two-factor code gets the login that the first one made: ${sessionStore}`, async () => {
    const app = await open()
    const factor = await turnOn(app, await verifiedBrowser(app))
    const browser = app.browser()
    await logIn(browser, ann)
    await sentTwice(app, browser, ['/two-factor-challenge', { code: factor.code() }])
    expect((await browser.get('/dashboard')).user?.name).toBe('Ann')
  })

  test(`a repeated account deletion reports that the account is deleted: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verifiedBrowser(app)
    const [first, again] = await sentTwice(app, browser, deletion)
    expect(answerOf(again)).toEqual(answerOf(first))
    expect((await browser.get('/')).flash).toEqual({ success: flashWords.accountDeleted })
  })

  test(`a repeated password change is saved, and the browser stays logged in: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verifiedBrowser(app)
    await sentTwice(app, browser, change)
    const visit = await browser.get('/settings/security')
    expect([visit.user?.name, visit.flash]).toEqual([
      'Ann',
      { success: flashWords.passwordChanged },
    ])
  })

  test(`a password change repeated after its next page was lost is not reported as wrong: ${sessionStore}`, async () => {
    const app = await open()
    const visit = await pageLost(app, await verifiedBrowser(app), change)
    expect([visit.errors, visit.flash]).toEqual([{}, { success: flashWords.passwordChanged }])
  })

  test.each([
    ['is logged in', change, '/settings/security', flashWords.passwordChanged],
    ['is told that the account is deleted', deletion, '/', flashWords.accountDeleted],
  ])(
    `a user who repeats a submission in progress waits, and %s: ${sessionStore}`,
    async (_, sent, leads, success) => {
      const { app, isHeld, hold, release } = await heldApp({ sessionStore })
      const browser = await verifiedBrowser(app)
      const other = copyOf(app, browser)
      hold()
      const first = copyOf(app, browser).post(...sent, pressed)
      await isHeld
      const again = browser.post(...sent, pressed)
      // Once this is answered, the second press has arrived.
      await other.get('/dashboard')
      release()
      expect(answerOf(await again)).toEqual(answerOf(await first))
      expect((await browser.get(leads)).flash).toEqual({ success })
    },
  )
}

test('a repeated submission that changes no session sets the same cookies as the first', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  await browser.get('/dashboard')
  const sent: Sent = ['/language', { _method: 'PUT', language: 'de' }]
  const [first, again] = await sentTwice(app, browser, sent)
  expect(again.headers['set-cookie']).toEqual(first.headers['set-cookie'])
})

test('a repeated JSON request gets the answer of the first', async () => {
  const app = await testApp()
  await verifiedBrowser(app)
  const browser = app.browser()
  const { email, password } = ann
  const ask = (from: Browser) => from.postJson('/login', { email, password }, pressed)
  const [first, again] = [await ask(copyOf(app, browser)), await ask(browser)]
  expect([first.json, again.json]).toEqual([{ redirect: '/dashboard' }, { redirect: '/dashboard' }])
  expect(answerOf(again)).toEqual(answerOf(first))
  expect((await browser.get('/dashboard')).user?.name).toBe('Ann')
})

test('a submission with other fields, another query or another X-Page-Press is carried out', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const [url, fields] = token
  const other = { headers: { 'X-Page-Press': press.replace('q', 'Q') } }
  await browser.post(url, { ...fields, name: 'first' }, pressed)
  await browser.post(url, { ...fields, name: 'second' }, pressed)
  await browser.post(`${url}?page=1`, { ...fields, name: 'third' }, pressed)
  await browser.post(`${url}?page=2`, { ...fields, name: 'third' }, pressed)
  await browser.post(url, { ...fields, name: 'fourth' }, other)
  await browser.post(url, { ...fields, name: 'fourth' }, pressed)
  const made = (await names(app)).toSorted()
  expect(made).toEqual(['first', 'fourth', 'fourth', 'second', 'third', 'third'])
})

test('the same submission from another browser or another user is carried out for that user', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const another = app.browser()
  await logIn(another, ann)
  const ofBob = await verifiedBrowser(app, bob)
  for (const each of [browser, another, ofBob]) await each.post(...token, pressed)
  const made = await allTokens(app.db)
  expect(made.map(({ userId }) => userId)).toEqual([1, 1, 2])
})

test('a submission repeated after a different one is carried out again', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const save = (name: string) =>
    browser.post('/settings/profile', { _method: 'PATCH', name, email: ann.email }, pressed)
  for (const name of ['Anna', 'Annabel', 'Anna']) await save(name)
  expect((await allUsers(app.db)).map(({ name }) => name)).toEqual(['Anna'])
})

test.each([
  ['no press', {}],
  ['one that many could have', { 'X-Page-Press': '1' }],
  ['one that is no text', { 'X-Page-Press': `${press} ${press}` }],
  ['one that is too long', { 'X-Page-Press': press.repeat(5) }],
])('a submission that names %s is carried out each time', async (_, headers) => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  for (const stay of [true, true]) await browser.post(...token, { headers, stay })
  expect(await names(app)).toEqual(['CI', 'CI'])
})

test('a submission repeated two minutes after its answer is carried out again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  await browser.post(...token, pressed)
  vi.advanceTimersByTime(119_999)
  await browser.post(...token, pressed)
  expect(await names(app)).toEqual(['CI'])
  vi.advanceTimersByTime(1)
  await browser.post(...token, pressed)
  expect(await names(app)).toEqual(['CI', 'CI'])
})

test('a repeated validation-only request is validated again', async () => {
  const app = await testApp()
  const browser = app.browser()
  const asking = { headers: { ...headers, 'X-Page-Validate-Only': 'email' }, stay: true }
  const ask = () => browser.post('/register', registration(ann), asking)
  const before = await ask()
  await registeredBrowser(app, ann)
  const errors = { email: errorWords.taken }
  expect([before.status, (await ask()).json]).toEqual([204, { errors }])
})

test('a validation-only request does not have the submission before it carried out again', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  await browser.post(...token, pressed)
  await browser.validate(token[0], token[1], ['name'])
  await browser.post(...token, pressed)
  expect(await names(app)).toEqual(['CI'])
})

test('the log line of a repeated submission names the request that was answered first', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  await sentTwice(app, browser, token)
  const lines = app.logLines.filter(
    ({ facts }) => facts['path'] === token[0] && facts['method'] === 'POST',
  )
  expect(lines.map(({ facts }) => facts['again'])).toEqual([undefined, lines[0]?.facts['request']])
})

test('the answers of two thousand submissions are stored, and the oldest is dropped first', async () => {
  const app = await testApp()
  const { cookies } = await verifiedBrowser(app)
  const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
  // Without the network, which costs several times as much.
  const answer = serve(app, routes)
  const create = () => answer(submission(token, { 'x-page-press': press, cookie }))
  const other: Sent = ['/language', { _method: 'PUT', language: 'en' }]
  const others = async (count: number, from: number) => {
    for (let at = 0; at < count; at++)
      await answer(submission(other, { 'x-page-press': `${press}${from + at}` }))
  }
  await create()
  await others(1_999, 10_000)
  await create()
  expect(await names(app)).toEqual(['CI'])
  await others(1, 20_000)
  await create()
  expect(await names(app)).toEqual(['CI', 'CI'])
})

test.each<[string, number, (c: Context) => Answer]>([
  ['that leads to another site is given again', 1, (c) => redirectAway(c, 'https://x.test/')],
  ['that is long is not kept', 2, () => answer('a'.repeat(4_097))],
  ['that is a file is not kept', 2, () => answer(new Uint8Array(10))],
  ['that is written as it comes is not kept', 2, () => answer((out) => void out.end())],
  ['that says that it failed is not kept', 2, () => ({ ...answer(''), status: 500 })],
])('an answer %s', async (_, times, made) => {
  let done = 0
  const handler = (c: Context) => (done++, made(c))
  const app = await testApp({ routes: [{ method: 'POST', name: 'home', who: everyone, handler }] })
  const browser = app.browser()
  await sentTwice(app, browser, ['/', { a: '1' }])
  expect(done).toBe(times)
})

/** Returns a form as it arrives from the page client. */
function submission([target, fields]: Sent, headers: Readonly<Record<string, string>>): Incoming {
  const all: Readonly<Record<string, string>> = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-page': 'true',
    'x-page-version': testAssets.scripts('en').version,
    ...headers,
  }
  return {
    method: 'POST',
    target,
    header: (name) => all[name],
    peer: '127.0.0.1',
    read: () => Promise.resolve(Buffer.from(new URLSearchParams(fields).toString())),
    pour: () => Promise.reject(new Error('no file is sent')),
  }
}

function answer(body: Answer['body']): Answer {
  return { status: 200, headers: { 'Cache-Control': noStore }, body }
}
