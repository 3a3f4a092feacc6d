import { expect, onTestFinished, test, vi } from 'vitest'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { checkedThen } from '../testing/meanwhile.ts'
import { ann, bob, logIn, registered, registration } from '../testing/people.ts'
import { allUsers, hideJobs, showJobs } from '../testing/rows.ts'
import { copyOf } from '../testing/sessions.ts'
import { testApp, type TestApp } from '../testing/test-app.ts'
import { allTokens } from '../testing/token-rows.ts'
import { turnOn, verified } from '../testing/two-factor.ts'
import type { Browser, Visit } from '../testing/browser.ts'

// Where a connection breaks before any of the answer came, the browser sends a form again by itself, and then the person
// does: what was done has its answer, and is not done once more.

type Sent = readonly [url: string, fields: Readonly<Record<string, string>>]

const token: Sent = ['/settings/tokens', { name: 'CI', abilities: 'user:read', expiry: '30' }]
const press = 'q3J0c2V0Y2V0ZXJhL2FuZCtzby1vbjEyMzQ1Njc4OTA='
const pressed = { headers: { 'X-Page-Press': press }, stay: true }

/** Sends it twice from a browser as it is now: the first answer is lost. */
async function sentTwice(app: TestApp, browser: Browser, sent: Sent): Promise<[Visit, Visit]> {
  const lost = copyOf(app, browser)
  return [await lost.post(...sent, pressed), await browser.post(...sent, pressed)]
}

function answerOf({ status, location, headers }: Visit): unknown {
  return [status, location, headers['set-cookie']]
}

async function names(app: TestApp): Promise<string[]> {
  return (await allTokens(app.db)).map(({ name }) => name)
}

for (const sessionStore of ['cookie', 'database'] as const) {
  const open = () => testApp({ config: { sessionStore } })

  test(`a press that comes again makes no second token, and is shown the first: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verified(app)
    const [first, again] = await sentTwice(app, browser, token)
    expect(answerOf(again)).toEqual(answerOf(first))
    expect(await names(app)).toEqual(['CI'])
    expect((await browser.get(token[0])).flash.token).toMatch(/_[a-z2-7]{52}$/)
  })

  test(`who registers by a press that comes again is logged in to the account that it made: ${sessionStore}`, async () => {
    const app = await open()
    const browser = app.browser()
    await sentTwice(app, browser, ['/register', registration(ann)])
    expect((await browser.get('/verify-email')).user?.name).toBe('Ann')
    expect(await allUsers(app.db)).toHaveLength(1)
  })

  test(`whose code comes again is logged in by the first: ${sessionStore}`, async () => {
    const app = await open()
    const factor = await turnOn(app, await verified(app))
    const browser = app.browser()
    await logIn(browser, ann)
    await sentTwice(app, browser, ['/two-factor-challenge', { code: factor.code() }])
    expect((await browser.get('/dashboard')).user?.name).toBe('Ann')
  })

  test(`who deletes an account by a press that comes again is told that it is deleted: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verified(app)
    const fields = { _method: 'DELETE', password: ann.password }
    const [first, again] = await sentTwice(app, browser, ['/settings/profile', fields])
    expect(answerOf(again)).toEqual(answerOf(first))
    expect((await browser.get('/')).flash).toEqual({ success: flashWords.accountDeleted })
  })
}

test('a new password that comes again is saved once, and the browser stays logged in', async () => {
  const app = await testApp()
  const browser = await verified(app)
  const password = 'another word'
  const fields = { _method: 'PUT', current_password: ann.password, password }
  await sentTwice(app, browser, [
    '/settings/password',
    { ...fields, password_confirmation: password },
  ])
  expect((await browser.get('/dashboard')).user?.name).toBe('Ann')
})

test('JSON that comes again has the answer that it had', async () => {
  const app = await testApp()
  await verified(app)
  const browser = app.browser()
  const lost = copyOf(app, browser)
  const { email, password } = ann
  const [first, again] = [
    await lost.postJson('/login', { email, password }, pressed),
    await browser.postJson('/login', { email, password }, pressed),
  ]
  expect([first.json, again.json]).toEqual([{ redirect: '/dashboard' }, { redirect: '/dashboard' }])
  expect(answerOf(again)).toEqual(answerOf(first))
})

test('what comes again while the first is under way waits for its answer', async () => {
  const [isChecked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let isHeld = false
  const app = await testApp({
    served: (opened) =>
      checkedThen(opened, async () => {
        if (!isHeld) return
        isChecked.resolve()
        await release.promise
      }),
  })
  const browser = await verified(app)
  isHeld = true
  const fields = { _method: 'DELETE', password: ann.password }
  const first = copyOf(app, browser).post('/settings/profile', fields, pressed)
  await isChecked.promise
  const again = browser.post('/settings/profile', fields, pressed)
  await expect.poll(() => app.logged.length).toBeGreaterThan(0)
  release.resolve()
  expect(answerOf(await again)).toEqual(answerOf(await first))
})

test('what has other fields, another address or another press is done', async () => {
  const app = await testApp()
  const browser = await verified(app)
  const [url, fields] = token
  const other = { headers: { 'X-Page-Press': press.replace('q', 'Q') } }
  await browser.post(url, fields, pressed)
  await browser.post(url, { ...fields, name: 'backup' }, pressed)
  await browser.post(`${url}?page=1`, { ...fields, name: 'third' }, pressed)
  await browser.post(`${url}?page=2`, { ...fields, name: 'third' }, pressed)
  await browser.post(url, { ...fields, name: 'fourth' }, other)
  await browser.post(url, { ...fields, name: 'fourth' }, pressed)
  expect((await names(app)).toSorted()).toEqual([
    'CI',
    'backup',
    'fourth',
    'fourth',
    'third',
    'third',
  ])
})

test.each([
  ['no press', {}],
  ['one that many could have', { 'X-Page-Press': '1' }],
  ['one that is no text', { 'X-Page-Press': `${press} ${press}` }],
  ['one that is too long', { 'X-Page-Press': press.repeat(5) }],
])('what names %s is done each time', async (_, headers) => {
  const app = await testApp()
  const browser = await verified(app)
  for (const stay of [true, true]) await browser.post(...token, { headers, stay })
  expect(await names(app)).toEqual(['CI', 'CI'])
})

test('a press whose answer is two minutes old is done again', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await testApp()
  const browser = await verified(app)
  const press = () => browser.post(...token, pressed)
  await press()
  vi.advanceTimersByTime(119_999)
  await press()
  expect(await names(app)).toEqual(['CI'])
  vi.advanceTimersByTime(1)
  await press()
  expect(await names(app)).toEqual(['CI', 'CI'])
})

test('a press that failed for a fault of the server is done when it comes again', async () => {
  const app = await testApp()
  const browser = app.browser()
  const sent: Sent = ['/register', registration(ann)]
  await hideJobs(app.db)
  expect((await browser.post(...sent, pressed)).status).toBe(500)
  await showJobs(app.db)
  await browser.post(...sent, pressed)
  expect((await browser.get('/verify-email')).user?.name).toBe('Ann')
})

test('the answer is given to nobody who has logged in since in the same browser', async () => {
  const app = await testApp()
  await verified(app, bob)
  const browser = await verified(app)
  const lost = copyOf(app, browser)
  const sending = { ...pressed, headers: { ...pressed.headers, 'X-Page-User': '2' } }
  await lost.post(...token, sending)
  await browser.post('/logout')
  await logIn(browser, bob)
  const visit = await browser.post(...token, sending)
  expect((await browser.get('/dashboard')).flash.error).toBe(flashWords.anotherIsLoggedIn)
  expect(visit.headers['set-cookie']?.join()).not.toContain('; Max-Age=0')
  expect(await names(app)).toEqual(['CI'])
})

test('a validation, which is no press, is answered anew', async () => {
  const app = await testApp()
  const browser = app.browser()
  const headers = { ...pressed.headers, 'X-Page-Validate-Only': 'email' }
  const ask = () => browser.post('/register', registration(ann), { headers, stay: true })
  const before = await ask()
  await registered(app, ann)
  expect([before.status, (await ask()).json]).toEqual([
    204,
    { errors: { email: errorWords.taken } },
  ])
})

test('the log tells which request had the answer first', async () => {
  const app = await testApp()
  const browser = await verified(app)
  await sentTwice(app, browser, token)
  const lines = app.logged.filter(
    ({ facts }) => facts['path'] === token[0] && facts['method'] === 'POST',
  )
  expect(lines.map(({ facts }) => facts['again'])).toEqual([undefined, lines[0]?.facts['request']])
})

test('of two thousand presses the answers are kept, and the oldest given up first', async () => {
  const app = await testApp()
  const browser = await verified(app)
  await browser.post(...token, pressed)
  const others = async (count: number, from: number) => {
    for (let at = 0; at < count; at++)
      await app
        .browser()
        .post(
          '/language',
          { _method: 'PUT', language: 'en' },
          { headers: { 'X-Page-Press': `${press}${from + at}` }, stay: true },
        )
  }
  await others(1_999, 10_000)
  await browser.post(...token, pressed)
  expect(await names(app)).toEqual(['CI'])
  await others(1, 20_000)
  await browser.post(...token, pressed)
  expect(await names(app)).toEqual(['CI', 'CI'])
})
