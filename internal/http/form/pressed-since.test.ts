import { expect, onTestFinished, test, vi } from 'vitest'
import { flashWords } from '#words/flash'
import { heldApp } from '../../testing/held-app.ts'
import { ann, bob, logIn, registeredBrowser, registration } from '../../testing/people.ts'
import { hideJobs, hideUsers, showJobs, showUsers } from '../../testing/database/hidden-tables.ts'
import { verifyEmails } from '../../testing/database/rows.ts'
import { copyOf, storedSession } from '../../testing/sessions.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { allTokens } from '../../testing/database/token-rows.ts'
import {
  beginTwoFactorSetup,
  turnOn,
  twoFactorOf,
  verifiedBrowser,
} from '../../testing/two-factor.ts'
import { type Answer, json } from '../answer.ts'
import { users } from '../guards.ts'
import { routes } from '../routes.ts'
import type { UserContext } from '../context.ts'
import type { Browser } from '../../testing/browser.ts'

// A repeated press is done anew if it was refused before, or if its first answer may no longer be repeated.

type Sent = readonly [url: string, fields: Readonly<Record<string, string>>]

const headers = { 'X-Page-Press': 'q3J0c2V0Y2V0ZXJhL2FuZCtzby1vbjEyMzQ1Njc4OTA=' }
const pressed = { headers, stay: true }
const token: Sent = ['/settings/tokens', { name: 'CI', abilities: 'user:read', expiry: '30' }]
const login: Sent = ['/login', { email: ann.email, password: ann.password }]
const forgot: Sent = ['/forgot-password', { email: bob.email }]

/** Sends a form, and loses the answer. */
async function lose(app: TestApp, browser: Browser, sent: Sent): Promise<void> {
  await copyOf(app, browser).post(...sent, pressed)
}

async function names(app: TestApp): Promise<string[]> {
  return (await allTokens(app.db)).map(({ name }) => name)
}

test('a submission that failed with a server error is carried out when it is repeated', async () => {
  const app = await testApp()
  const browser = app.browser()
  const sent: Sent = ['/register', registration(ann)]
  await hideJobs(app.db)
  expect((await browser.post(...sent, pressed)).status).toBe(500)
  await showJobs(app.db)
  await browser.post(...sent, pressed)
  expect((await browser.get('/verify-email')).user?.name).toBe('Ann')
})

for (const sessionStore of ['cookie', 'database'] as const) {
  const open = () => testApp({ config: { sessionStore } })

  test(`a repeated submission that failed validation shows its errors again: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verifiedBrowser(app)
    const sent: Sent = [token[0], { ...token[1], name: '' }]
    await browser.post(...sent, pressed)
    await copyOf(app, browser).get(token[0])
    expect((await browser.post(...sent, { headers })).errors).toHaveProperty('name')
  })

  test(`a login with too many tries succeeds when it is repeated after the wait: ${sessionStore}`, async () => {
    const app = await open()
    await verifiedBrowser(app)
    const browser = app.browser()
    for (let tries = 0; tries < 12; tries++)
      await browser.post('/login', { ...login[1], password: `wrong ${tries}` })
    await lose(app, browser, login)
    await app.pass({ seconds: 100 })
    expect((await browser.post(...login, { headers })).url).toBe('/dashboard')
  })

  test(`a submission that needed a confirmed password is carried out when repeated after that: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verifiedBrowser(app)
    for (const hours of [1, 1, 1]) {
      await app.pass({ hours })
      await browser.get('/notifications')
    }
    await lose(app, browser, token)
    await browser.post('/confirm-password', { password: ann.password })
    expect((await browser.post(...token, { headers })).flash.token).toBeDefined()
    expect((await browser.get('/settings/security')).url).toBe('/settings/security')
  })

  test(`a submission that needed a verified email is carried out when repeated after that: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await registeredBrowser(app, ann)
    const sent: Sent = ['/settings/two-factor', {}]
    await lose(app, browser, sent)
    await verifyEmails(app.db, app.now())
    expect((await browser.post(...sent, { headers })).url).toBe('/settings/security')
  })

  test(`a submission repeated while its login is replaced leads to login and sets no cookie: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verifiedBrowser(app)
    await lose(app, browser, token)
    const before = copyOf(app, browser)
    const password = 'another word'
    const change = { current_password: ann.password, password, password_confirmation: password }
    const meanwhile = () => browser.post('/settings/password', { _method: 'PUT', ...change })
    const again = await before.post(...token, { ...pressed, beforeBody: meanwhile })
    expect([again.location, again.headers['set-cookie']]).toEqual(['/login', undefined])
    expect((await browser.get('/dashboard')).user?.name).toBe('Ann')
  })

  test(`a guest who logs in while a submission is repeated stays logged in: ${sessionStore}`, async () => {
    const app = await open()
    await verifiedBrowser(app)
    const browser = app.browser()
    await browser.get('/settings/profile')
    await lose(app, browser, forgot)
    const before = copyOf(app, browser)
    const meanwhile = () => logIn(browser, ann)
    const again = await before.post(...forgot, { ...pressed, beforeBody: meanwhile })
    adopt(browser, again.headers['set-cookie'])
    expect((await browser.get('/dashboard')).user?.name).toBe('Ann')
  })

  test(`repeating an earlier form does not end a login that waits for its code: ${sessionStore}`, async () => {
    const app = await open()
    const factor = await turnOn(app, await verifiedBrowser(app))
    const browser = app.browser()
    await lose(app, browser, forgot)
    await logIn(browser, ann)
    await browser.post(...forgot, { headers })
    await browser.post('/two-factor-challenge', { code: factor.code() })
    expect((await browser.get('/dashboard')).user?.name).toBe('Ann')
  })

  test(`repeating a renewal of recovery codes after one on another device shows valid codes: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verifiedBrowser(app)
    const factor = await turnOn(app, browser)
    const other = app.browser()
    await logIn(other, ann)
    await other.post('/two-factor-challenge', { code: factor.code() })
    const renew: Sent = ['/settings/two-factor/recovery-codes', {}]
    await lose(app, browser, renew)
    await other.post(...renew)
    const { recoveryCodes = [] } = (await browser.post(...renew, { headers })).flash
    const third = app.browser()
    await logIn(third, ann)
    const fields = { recovery_code: recoveryCodes[0] ?? '' }
    expect((await third.post('/two-factor-challenge', fields)).url).toBe('/dashboard')
  })

  test(`a repeated submission clears the history of a login that was ended from elsewhere: ${sessionStore}`, async () => {
    const app = await open()
    const other = await verifiedBrowser(app)
    const browser = app.browser()
    await lose(app, browser, forgot)
    await logIn(browser, ann)
    await other.post('/settings/logins', { _method: 'DELETE' })
    const visit = await browser.post(...forgot, { headers })
    expect([visit.url, visit.page.clearHistory]).toEqual(['/forgot-password', true])
  })

  test(`a repeated login clears the history of another user’s login that has ended: ${sessionStore}`, async () => {
    const app = await open()
    await verifiedBrowser(app)
    const other = await verifiedBrowser(app, bob)
    const browser = app.browser()
    await lose(app, browser, login)
    await logIn(browser, bob)
    await other.post('/settings/logins', { _method: 'DELETE' })
    await browser.get('/settings/profile', { stay: true })
    const visit = await browser.post(...login, { headers })
    expect([visit.user?.name, visit.page.clearHistory]).toEqual(['Ann', true])
  })

  test(`two-factor setup begun in another tab while a repeated submission waits is preserved: ${sessionStore}`, async () => {
    const { app, isHeld, hold, release } = await heldApp({ sessionStore })
    const browser = await verifiedBrowser(app)
    const [first, again] = [copyOf(app, browser), copyOf(app, browser)]
    hold()
    const confirm: Sent = ['/confirm-password', { password: ann.password }]
    const answers = [first.post(...confirm, pressed)]
    await isHeld
    answers.push(again.post(...confirm, pressed))
    await copyOf(app, browser).get('/dashboard')
    const secret = await beginTwoFactorSetup(browser)
    release()
    for (const { headers } of await Promise.all(answers)) adopt(browser, headers['set-cookie'])
    const visit = await browser.get('/settings/security')
    expect(twoFactorOf(visit).setup?.secret).toBe(secret)
  })

  test(`when the first of three simultaneous submissions fails, the other two succeed: ${sessionStore}`, async () => {
    const { app, isHeld, hold, release } = await heldApp({ sessionStore }, 'fails')
    const browser = await verifiedBrowser(app)
    hold()
    const change: Sent = ['/settings/profile', { _method: 'DELETE', password: ann.password }]
    const send = () => copyOf(app, browser).post(...change, pressed)
    const answers = [send()]
    await isHeld
    answers.push(send(), send())
    await copyOf(app, browser).get('/dashboard')
    release()
    const visits = await Promise.all(answers)
    expect(visits.map(({ status, location }) => location ?? status)).toEqual([500, '/', '/'])
  })

  test(`an answer for logged-in users only is not repeated after logout or to a guest: ${sessionStore}`, async () => {
    const route = { method: 'POST', name: 'home', who: users, handler: showEmail } as const
    const app = await testApp({ config: { sessionStore }, routes: [...routes, route] })
    const browser = await verifiedBrowser(app)
    const sent: Sent = ['/', { a: '1' }]
    await lose(app, browser, sent)
    const before = copyOf(app, browser)
    await browser.post('/logout')
    const browsers = [browser, before, app.browser()]
    const answers = await Promise.all(browsers.map((each) => each.post(...sent, pressed)))
    expect(answers.map(({ location }) => location)).toEqual(['/login', '/login', '/login'])
  })

  test(`a repeated two-factor code does not replace another user’s login begun since: ${sessionStore}`, async () => {
    const app = await open()
    const factor = await turnOn(app, await verifiedBrowser(app))
    const ofBob = await turnOn(app, await verifiedBrowser(app, bob))
    const browser = app.browser()
    await logIn(browser, ann)
    const sent: Sent = ['/two-factor-challenge', { code: factor.code() }]
    await lose(app, browser, sent)
    await logIn(browser, bob)
    await browser.post(...sent, { headers })
    await browser.post('/two-factor-challenge', { code: ofBob.code() })
    expect((await browser.get('/dashboard')).user?.name).toBe('Bob')
  })

  test(`a repeated renewal of recovery codes does not show codes that were replaced since: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verifiedBrowser(app)
    await turnOn(app, browser)
    const renew: Sent = ['/settings/two-factor/recovery-codes', {}]
    const first = await copyOf(app, browser).post(...renew, { headers })
    await browser.post(...renew)
    const { recoveryCodes } = (await browser.post(...renew, { headers })).flash
    expect(recoveryCodes).toHaveLength(8)
    expect(recoveryCodes).not.toEqual(first.flash.recoveryCodes)
  })

  test(`a repeated token creation does not show a token revoked since, but creates another: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verifiedBrowser(app)
    await lose(app, browser, token)
    const [made] = await allTokens(app.db)
    await browser.post(`/settings/tokens/${made?.id}`, { _method: 'DELETE' })
    expect((await browser.post(...token, { headers })).flash.token).toBeDefined()
    expect(await names(app)).toEqual(['CI'])
  })

  test(`a repeated login whose first login was ended logs in again: ${sessionStore}`, async () => {
    const app = await open()
    const other = await verifiedBrowser(app)
    const browser = app.browser()
    await lose(app, browser, login)
    await other.post('/settings/logins', { _method: 'DELETE' })
    const visit = await browser.post(...login, { headers })
    expect([visit.url, visit.user?.name]).toEqual(['/dashboard', 'Ann'])
  })

  test(`a repeated login does not replace another user’s login made since: ${sessionStore}`, async () => {
    const app = await open()
    await verifiedBrowser(app)
    await verifiedBrowser(app, bob)
    const browser = app.browser()
    await lose(app, browser, login)
    await logIn(browser, bob)
    expect((await browser.post(...login, { headers })).user?.name).toBe('Bob')
  })

  test(`a submission repeated after another user has logged in is refused: ${sessionStore}`, async () => {
    const app = await open()
    await verifiedBrowser(app, bob)
    const browser = await verifiedBrowser(app)
    const sending = { headers: { ...headers, 'X-Page-User': '2' } }
    await copyOf(app, browser).post(...token, sending)
    await browser.post('/logout')
    await logIn(browser, bob)
    const visit = await browser.post(...token, sending)
    expect([visit.user?.name, visit.flash.error]).toEqual(['Bob', flashWords.anotherIsLoggedIn])
    expect(await names(app)).toEqual(['CI'])
  })

  test(`a repeated submission gets a 500, and keeps the login, while the user cannot be loaded: ${sessionStore}`, async () => {
    const app = await open()
    await verifiedBrowser(app, bob)
    const browser = await verifiedBrowser(app)
    await lose(app, browser, token)
    await browser.post('/logout')
    await logIn(browser, bob)
    await hideUsers(app.db)
    expect((await browser.post(...token, pressed)).status).toBe(500)
    await showUsers(app.db)
    expect((await browser.get('/dashboard')).user?.name).toBe('Bob')
  })
}

test('a draft from an ended login is restored once the login whose answer was lost is repeated', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  await endLogins(app)
  await browser.get('/dashboard')
  await lose(app, browser, login)
  vi.advanceTimersByTime(50_000)
  await app.pass({ seconds: 50 })
  const profile = { _method: 'PATCH', name: 'Annabel', email: ann.email }
  const from = `${app.config.origin}/settings/profile`
  await browser.post('/settings/profile', profile, {
    headers: { 'X-Page-User': '1', Referer: from },
  })
  await browser.post(...login, { headers })
  const { old } = (await browser.get('/settings/profile')).page.props
  expect(old).toMatchObject({ name: 'Annabel' })
})

test('a repeated login starts a fresh session, whatever the guest did since the first', async () => {
  const app = await testApp({ config: { sessionStore: 'database' } })
  await verifiedBrowser(app)
  const browser = app.browser()
  await lose(app, browser, login)
  await browser.get('/settings/profile')
  await browser.post(...login, pressed)
  const session = await storedSession(app, browser)
  expect(Object.keys(session).toSorted()).toEqual(['confirmedAt', 'login'])
})

test('a submission repeated from a page of another user gets the error that another user is logged in', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  await browser.post(...token, { headers: { ...headers, 'X-Page-User': '1' }, stay: true })
  await browser.post(...token, { headers: { ...headers, 'X-Page-User': '2' }, stay: true })
  expect((await browser.get('/dashboard')).flash.error).toBe(flashWords.anotherIsLoggedIn)
})

function showEmail(c: UserContext): Answer {
  return json(200, { email: c.visitor.user.email })
}

/** Ends all of Ann's other logins from another browser of hers. */
async function endLogins(app: TestApp): Promise<void> {
  const other = app.browser()
  await logIn(other, ann)
  await other.post('/settings/logins', { _method: 'DELETE' })
}

/** Stores an answer's cookies in the browser. */
function adopt(browser: Browser, cookies: readonly string[] = []): void {
  for (const cookie of cookies) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    browser.cookies.set(name, value)
  }
}
