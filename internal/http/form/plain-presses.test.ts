import { expect, onTestFinished, test, vi } from 'vitest'
import { flashWords } from '#words/flash'
import { heldApp } from '../../testing/held-app.ts'
import { ann, behindProxy, bob, logIn } from '../../testing/people.ts'
import { copyOf } from '../../testing/sessions.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { allTokens } from '../../testing/database/token-rows.ts'
import { verifiedBrowser } from '../../testing/two-factor.ts'

// Before the page's script has started, or without it, a double click sends a form twice. The browser shows the
// second answer, and may have dropped the first with its cookies.

type Sent = readonly [url: string, fields: Readonly<Record<string, string>>]

const token: Sent = ['/settings/tokens', { name: 'CI', abilities: 'user:read', expiry: '30' }]
const headers = { 'Sec-Fetch-Mode': 'navigate' }
const once = { headers, stay: true }
const password = 'another word'
const change: Sent = [
  '/settings/password',
  { _method: 'PUT', current_password: ann.password, password, password_confirmation: password },
]

async function names(app: TestApp): Promise<string[]> {
  return (await allTokens(app.db)).map(({ name }) => name)
}

for (const sessionStore of ['cookie', 'database'] as const) {
  const open = () => testApp({ config: { sessionStore } })

  test(`a double click makes one token, which the second answer shows: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verifiedBrowser(app)
    await copyOf(app, browser).document(...token, once)
    const { flash } = await browser.document(...token, { headers })
    expect(flash.token).toMatch(/_[a-z2-7]{52}$/)
    expect(await names(app)).toEqual(['CI'])
  })

  test(`a double click of which the first answer arrives makes one token, too: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verifiedBrowser(app)
    await browser.document(...token, once)
    const { flash } = await browser.document(...token, { headers })
    expect(flash.token).toMatch(/_[a-z2-7]{52}$/)
    expect(await names(app)).toEqual(['CI'])
  })

  test(`the second of two clicks waits for the first, which is still being answered: ${sessionStore}`, async () => {
    const { app, isHeld, hold, release } = await heldApp({ sessionStore })
    const browser = await verifiedBrowser(app)
    const other = copyOf(app, browser)
    hold()
    const first = copyOf(app, browser).document(...change, once)
    await isHeld
    const second = browser.document(...change, once)
    // Once this is answered, the second click has arrived.
    await other.get('/dashboard')
    release()
    expect((await second).location).toBe((await first).location)
    const { errors, flash, user } = await browser.get('/settings/security')
    expect([errors, flash, user?.name]).toEqual([
      {},
      { success: flashWords.passwordChanged },
      'Ann',
    ])
  })
}

test('the same form from another browser or another user is carried out for that user', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const another = app.browser()
  await logIn(another, ann)
  const ofBob = await verifiedBrowser(app, bob)
  for (const each of [browser, another, ofBob]) await each.document(...token, once)
  expect((await allTokens(app.db)).map(({ userId }) => userId)).toEqual([1, 1, 2])
})

const others: Sent = ['/settings/logins', { _method: 'DELETE' }]

test('an older copy of the cookie does not get the new login of a form that its owner sends', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  await browser.post(...others, { stay: true })
  const copy = copyOf(app, browser)
  // Takes the message, and so gets another cookie.
  await browser.get('/settings/security')
  await browser.document(...others, once)
  await copy.document(...others, { headers })
  expect((await copy.get('/')).user).toBeNull()
  expect((await browser.get('/')).user?.name).toBe('Ann')
})

test('a copy of the cookie at another address does not get the new login of a form that its owner sends', async () => {
  const app = await testApp(behindProxy)
  const browser = await verifiedBrowser(app)
  const copy = copyOf(app, browser)
  await browser.document(...others, once)
  await copy.document(...others, { headers: { ...headers, 'X-Forwarded-For': '192.0.2.9' } })
  expect((await copy.get('/')).user).toBeNull()
})

test('a copy of the cookie without the confirmation does not get what a form of its owner shows once', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  for (const hours of [1.9, 1.9]) {
    await app.pass({ hours })
    await browser.get('/')
  }
  const copy = copyOf(app, browser)
  await browser.post('/confirm-password', { password: ann.password })
  await browser.document(...token, once)
  const { flash } = await copy.document(...token, { headers })
  expect([flash.token, await names(app)]).toEqual([undefined, ['CI']])
})

test('the same form is carried out again after another one, or five seconds later', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const [url, fields] = token
  for (const name of ['first', 'second', 'first'])
    await browser.document(url, { ...fields, name }, once)
  vi.advanceTimersByTime(4_999)
  await browser.document(url, { ...fields, name: 'first' }, once)
  expect((await names(app)).toSorted()).toEqual(['first', 'first', 'second'])
  vi.advanceTimersByTime(1)
  await browser.document(url, { ...fields, name: 'first' }, once)
  expect(await names(app)).toHaveLength(4)
})

test('a program that sends the same form twice has it carried out twice', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  for (const stay of [true, true]) await browser.document(...token, { stay })
  expect(await names(app)).toEqual(['CI', 'CI'])
})
