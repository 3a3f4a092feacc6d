import { expect, test } from 'vitest'
import { flashWords } from '#words/flash'
import { ann, bob, logIn, registered, registration } from '../testing/people.ts'
import { hideJobs, hideUsers, showJobs, showUsers, verifyEmails } from '../testing/rows.ts'
import { copyOf } from '../testing/sessions.ts'
import { testApp, type TestApp } from '../testing/test-app.ts'
import { allTokens } from '../testing/token-rows.ts'
import { turnOn, verified } from '../testing/two-factor.ts'
import type { Browser } from '../testing/browser.ts'

// A press that comes again is done all the same where it was refused, or where the answer that it had is none any more.

type Sent = readonly [url: string, fields: Readonly<Record<string, string>>]

const headers = { 'X-Page-Press': 'q3J0c2V0Y2V0ZXJhL2FuZCtzby1vbjEyMzQ1Njc4OTA=' }
const pressed = { headers, stay: true }
const token: Sent = ['/settings/tokens', { name: 'CI', abilities: 'user:read', expiry: '30' }]
const login: Sent = ['/login', { email: ann.email, password: ann.password }]
const forgot: Sent = ['/forgot-password', { email: bob.email }]

/** Sends it, and loses the answer. */
async function lose(app: TestApp, browser: Browser, sent: Sent): Promise<void> {
  await copyOf(app, browser).post(...sent, pressed)
}

async function names(app: TestApp): Promise<string[]> {
  return (await allTokens(app.db)).map(({ name }) => name)
}

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

for (const sessionStore of ['cookie', 'database'] as const) {
  const open = () => testApp({ config: { sessionStore } })

  test(`a form that failed is told its errors again: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verified(app)
    const sent: Sent = [token[0], { ...token[1], name: '' }]
    await browser.post(...sent, pressed)
    await copyOf(app, browser).get(token[0])
    expect((await browser.post(...sent, { headers })).errors).toHaveProperty('name')
  })

  test(`who had too many tries logs in a while later: ${sessionStore}`, async () => {
    const app = await open()
    await verified(app)
    const browser = app.browser()
    for (let tries = 0; tries < 12; tries++)
      await browser.post('/login', { ...login[1], password: `wrong ${tries}` })
    await lose(app, browser, login)
    await app.pass({ seconds: 100 })
    expect((await browser.post(...login, { headers })).url).toBe('/dashboard')
  })

  test(`what wanted the password confirmed is done once it is: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verified(app)
    for (const hours of [1, 1, 1]) {
      await app.pass({ hours })
      await browser.get('/notifications')
    }
    await lose(app, browser, token)
    await browser.post('/confirm-password', { password: ann.password })
    expect((await browser.post(...token, { headers })).flash.token).toBeDefined()
    expect((await browser.get('/settings/security')).url).toBe('/settings/security')
  })

  test(`what wanted the email verified is done once it is: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await registered(app, ann)
    const sent: Sent = ['/settings/two-factor', {}]
    await lose(app, browser, sent)
    await verifyEmails(app.db, app.now())
    expect((await browser.post(...sent, { headers })).url).toBe('/settings/security')
  })

  test(`whose login has ended meanwhile is given it by no answer of before: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verified(app)
    await lose(app, browser, token)
    const before = copyOf(app, browser)
    const password = 'another word'
    const change = { current_password: ann.password, password, password_confirmation: password }
    const meanwhile = () => browser.post('/settings/password', { _method: 'PUT', ...change })
    const again = await before.post(...token, { ...pressed, meanwhile })
    expect([again.location, again.headers['set-cookie']]).toEqual(['/login', undefined])
    expect((await browser.get('/dashboard')).user?.name).toBe('Ann')
  })

  test(`who logs in as it comes again stays logged in: ${sessionStore}`, async () => {
    const app = await open()
    await verified(app)
    const browser = app.browser()
    await browser.get('/settings/profile')
    await lose(app, browser, forgot)
    const before = copyOf(app, browser)
    const meanwhile = () => logIn(browser, ann)
    const again = await before.post(...forgot, { ...pressed, meanwhile })
    for (const cookie of again.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      browser.cookies.set(name, value)
    }
    expect((await browser.get('/dashboard')).user?.name).toBe('Ann')
  })

  test(`whose code is awaited since logs in by it: ${sessionStore}`, async () => {
    const app = await open()
    const factor = await turnOn(app, await verified(app))
    const browser = app.browser()
    await lose(app, browser, forgot)
    await logIn(browser, ann)
    await browser.post(...forgot, { headers })
    await browser.post('/two-factor-challenge', { code: factor.code() })
    expect((await browser.get('/dashboard')).user?.name).toBe('Ann')
  })

  test(`codes that were renewed since are not shown as good: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verified(app)
    await turnOn(app, browser)
    const renew: Sent = ['/settings/two-factor/recovery-codes', {}]
    const first = await copyOf(app, browser).post(...renew, { headers })
    await browser.post(...renew)
    const { recoveryCodes } = (await browser.post(...renew, { headers })).flash
    expect(recoveryCodes).toHaveLength(8)
    expect(recoveryCodes).not.toEqual(first.flash.recoveryCodes)
  })

  test(`a token that was revoked since is not shown as made: ${sessionStore}`, async () => {
    const app = await open()
    const browser = await verified(app)
    await lose(app, browser, token)
    const [made] = await allTokens(app.db)
    await browser.post(`/settings/tokens/${made?.id}`, { _method: 'DELETE' })
    expect((await browser.post(...token, { headers })).flash.token).toBeDefined()
    expect(await names(app)).toEqual(['CI'])
  })

  test(`a login that was ended since is made again: ${sessionStore}`, async () => {
    const app = await open()
    const other = await verified(app)
    const browser = app.browser()
    await lose(app, browser, login)
    await other.post('/settings/logins', { _method: 'DELETE' })
    const visit = await browser.post(...login, { headers })
    expect([visit.url, visit.user?.name]).toEqual(['/dashboard', 'Ann'])
  })

  test(`who has logged in since is not given the login of an answer that was lost: ${sessionStore}`, async () => {
    const app = await open()
    await verified(app)
    await verified(app, bob)
    const browser = app.browser()
    await lose(app, browser, login)
    await logIn(browser, bob)
    expect((await browser.post(...login, { headers })).user?.name).toBe('Bob')
  })

  test(`who has logged in since in the same browser has none of it: ${sessionStore}`, async () => {
    const app = await open()
    await verified(app, bob)
    const browser = await verified(app)
    const sending = { headers: { ...headers, 'X-Page-User': '2' } }
    await copyOf(app, browser).post(...token, sending)
    await browser.post('/logout')
    await logIn(browser, bob)
    const visit = await browser.post(...token, sending)
    expect([visit.user?.name, visit.flash.error]).toEqual(['Bob', flashWords.anotherIsLoggedIn])
    expect(await names(app)).toEqual(['CI'])
  })

  test(`nor where it cannot be looked up who that is: ${sessionStore}`, async () => {
    const app = await open()
    await verified(app, bob)
    const browser = await verified(app)
    await lose(app, browser, token)
    await browser.post('/logout')
    await logIn(browser, bob)
    await hideUsers(app.db)
    expect((await browser.post(...token, pressed)).status).toBe(500)
    await showUsers(app.db)
    expect((await browser.get('/dashboard')).user?.name).toBe('Bob')
  })
}

test('another answer is told whose page it was on', async () => {
  const app = await testApp()
  const browser = await verified(app)
  await browser.post(...token, { headers: { ...headers, 'X-Page-User': '1' }, stay: true })
  await browser.post(...token, { headers: { ...headers, 'X-Page-User': '2' }, stay: true })
  expect((await browser.get('/dashboard')).flash.error).toBe(flashWords.anotherIsLoggedIn)
})
