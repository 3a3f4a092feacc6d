import { appName } from '../../../web/contract/name.ts'
import { expect, test } from 'vitest'
import { flashWords } from '#words/flash'
import { ann, bob, logIn, registeredBrowser, registration } from '../../testing/people.ts'
import {
  allLogins,
  setPasswordHash,
  deleteLogins,
  deleteUsers,
  verifyEmails,
} from '../../testing/database/rows.ts'
import { copyOf } from '../../testing/sessions.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { codeAt } from '../../testing/totp.ts'
import { beginTwoFactorSetup, verifiedBrowser } from '../../testing/two-factor.ts'
import { action } from '../form/form.ts'
import { everyone, users } from '../guards.ts'
import { page } from '../page/page.ts'
import { redirect } from '../reply.ts'
import { email } from '../form/rules.ts'
import type { Browser } from '../../testing/browser.ts'
import type { Handler } from '../form/form.ts'
import type { Session } from './session.ts'

const cookie = `${appName}_session`
const newPassword = { password: 'another word', password_confirmation: 'another word' }

/** Returns a browser whose cookie holds this session, as another version of the service may have sealed. */
function withSession(app: TestApp, session: unknown): Browser {
  const browser = app.browser()
  const text = JSON.stringify({ at: app.now().getTime(), session })
  browser.cookies.set(cookie, app.keys.seal('session', '', text))
  return browser
}

function sessionOf(app: TestApp, browser: Browser): Session {
  const sealed = app.keys.open('session', '', browser.cookies.get(cookie) ?? '')
  return JSON.parse(sealed?.text ?? '{}').session
}

test('a session ends 2 hours after its last request', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await app.pass({ hours: 2 })
  const visit = await browser.get('/')
  expect(visit.user).toBeNull()
})

test('each visit restarts the 2 hours of a session', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await app.pass({ hours: 1, minutes: 59 })
  await browser.get('/')
  await app.pass({ hours: 1, minutes: 59 })
  expect((await browser.get('/')).user?.name).toBe(ann.name)
})

test('a visit after one whose response was lost restarts the 2 hours of a session', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await app.pass({ hours: 1, minutes: 59 })
  const lost = await copyOf(app, browser).get('/')
  await app.pass({ seconds: 2 })
  await browser.get('/')
  await app.pass({ hours: 1, minutes: 59 })
  expect(lost.headers['set-cookie']).toHaveLength(1)
  expect((await browser.get('/')).user?.name).toBe(ann.name)
})

test('a remembered session ends 30 days after its last request, and its cookie lasts as long', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  const sent = await browser.post('/login', { ...ann, remember: 'on' }, { stay: true })
  await app.pass({ days: 29, hours: 23 })
  const before = await browser.get('/')
  await app.pass({ days: 29, hours: 23 })
  const restarted = await browser.get('/')
  await app.pass({ days: 30 })
  const after = await browser.get('/')
  expect(sent.headers['set-cookie']?.[0]).toContain('; Max-Age=2592000;')
  expect([before.user?.name, restarted.user?.name, after.user]).toEqual([ann.name, ann.name, null])
})

test('a login without remember ends after 2 hours', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  const sent = await logIn(browser, ann, { stay: true })
  await app.pass({ hours: 2 })
  expect(sent.headers['set-cookie']?.[0]).toContain('; Max-Age=7200;')
  expect((await browser.get('/')).user).toBeNull()
})

test('last seen is written at most once a minute, and moves the end of the login', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await app.pass({ seconds: 59 })
  await browser.get('/')
  await app.awaitWrites()
  const early = await allLogins(app.db)
  await app.pass({ seconds: 1 })
  await browser.get('/')
  await app.awaitWrites()
  const late = await allLogins(app.db)
  expect(early).toMatchObject([
    { lastSeenAt: new Date('2026-01-05T10:00:00Z'), endsAt: new Date('2026-01-05T12:00:00Z') },
  ])
  expect(late).toMatchObject([
    { lastSeenAt: new Date('2026-01-05T10:01:00Z'), endsAt: new Date('2026-01-05T12:01:00Z') },
  ])
})

test('last seen moves the end of a remembered login by 30 days', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await deleteLogins(app.db)
  const browser = app.browser()
  await browser.post('/login', { ...ann, remember: 'on' })
  await app.pass({ days: 1 })
  await browser.get('/')
  await app.awaitWrites()
  expect(await allLogins(app.db)).toMatchObject([{ endsAt: new Date('2026-02-05T10:00:00Z') }])
})

test('the session cookie is sealed again at most once a minute', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await app.pass({ seconds: 59 })
  const early = await browser.get('/')
  await app.pass({ seconds: 1 })
  const late = await browser.get('/')
  expect(early.headers).not.toHaveProperty('set-cookie')
  expect(late.headers['set-cookie']).toHaveLength(1)
})

test('a guest with an empty session gets no cookie', async () => {
  const app = await testApp()
  const visit = await app.browser().get('/login')
  expect(visit.headers).not.toHaveProperty('set-cookie')
})

test('an altered session cookie is ignored', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const value = browser.cookies.get(cookie) ?? ''
  const altered = `${value.slice(0, 40)}${value[40] === 'A' ? 'B' : 'A'}${value.slice(41)}`
  browser.cookies.set(cookie, altered)
  const visit = await browser.get('/')
  browser.cookies.set(cookie, value)
  expect(visit.status).toBe(200)
  expect(visit.user).toBeNull()
  expect((await browser.get('/')).user?.name).toBe(ann.name)
})

test('a malformed session cookie is ignored', async () => {
  const app = await testApp()
  const valid = await registeredBrowser(app, ann)
  const sealed = valid.cookies.get(cookie) ?? ''
  const text = JSON.stringify({ at: app.now().getTime(), session: sessionOf(app, valid) })
  const malformed = [
    '',
    '%00=;;"é',
    sealed.slice(0, sealed.length / 2),
    `${sealed}!`,
    sealed.repeat(2),
    text,
    Buffer.from(text).toString('base64url'),
  ]
  for (const value of malformed) {
    const browser = app.browser()
    browser.cookies.set(cookie, value)
    const visit = await browser.get('/')
    expect([value, visit.status, visit.user, visit.flash]).toEqual([value, 200, null, {}])
  }
})

test('a session whose login has no row is logged out, and the request goes on as a guest', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await deleteLogins(app.db)
  const visit = await browser.get('/')
  expect(visit.status).toBe(200)
  expect(visit.user).toBeNull()
  expect(visit.page.clearHistory).toBe(true)
  expect(browser.cookies.has(cookie)).toBe(false)
})

test.each(['cookie', 'database'] as const)(
  'a session whose login has ended shows no recovery codes and no API token, with sessions in the %s',
  async (sessionStore) => {
    const app = await testApp({ config: { sessionStore } })
    const browser = await verifiedBrowser(app)
    const making = { name: 'CI', abilities: '*', expiry: 'never' }
    await browser.post('/settings/tokens', making, { stay: true })
    await deleteLogins(app.db)
    const token = await browser.get('/login')
    const again = await registeredBrowser(app, bob)
    await verifyEmails(app.db, app.now())
    const code = codeAt(await beginTwoFactorSetup(again), app.now())
    await again.post('/settings/two-factor/confirm', { code }, { stay: true })
    await deleteLogins(app.db)
    const codes = await again.get('/login')
    expect([token.flash, codes.flash]).toEqual([
      { success: flashWords.tokenMade, error: flashWords.loginEnded.noDraft },
      { success: flashWords.twoFactorOn, error: flashWords.loginEnded.noDraft },
    ])
  },
)

test('a session whose user no longer exists is logged out', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await deleteUsers(app.db)
  expect((await browser.get('/')).user).toBeNull()
  expect(browser.cookies.has(cookie)).toBe(false)
})

test('a session made with an older password hash is logged out', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await setPasswordHash(app.db, '$argon2id$another')
  expect((await browser.get('/')).user).toBeNull()
  expect(browser.cookies.has(cookie)).toBe(false)
})

test('a session whose login row has expired is logged out, whatever its cookie says', async () => {
  const app = await testApp()
  const { login } = sessionOf(app, await registeredBrowser(app, ann))
  await app.pass({ hours: 2 })
  const browser = withSession(app, { login })
  expect((await browser.get('/')).user).toBeNull()
})

test('a session with a malformed user ID is logged out', async () => {
  const app = await testApp()
  const { login } = sessionOf(app, await registeredBrowser(app, ann))
  const browser = withSession(app, { login: { ...login, userId: '1; DROP TABLE users' } })
  const visit = await browser.get('/dashboard', { stay: true })
  expect(visit).toMatchObject({ status: 303, location: '/login' })
  expect(sessionOf(app, browser)).not.toHaveProperty('login')
})

test('a session that names another user than its login row does is logged out', async () => {
  const app = await testApp()
  const { login } = sessionOf(app, await registeredBrowser(app, ann))
  await registeredBrowser(app, bob)
  const browser = withSession(app, { login: { ...login, userId: 2 } })
  expect((await browser.get('/')).user).toBeNull()
})

test('a session from before logins had rows is logged out, and can log in again', async () => {
  const app = await testApp()
  const { login } = sessionOf(app, await registeredBrowser(app, ann))
  const browser = withSession(app, { login: { ...login, id: undefined } })
  const visit = await browser.get('/dashboard', { stay: true })
  await logIn(browser, ann)
  expect(visit).toMatchObject({ status: 303, location: '/login' })
  expect((await browser.get('/')).user?.name).toBe(ann.name)
})

test('every login has an ID of its own, and its row stores only the hash', async () => {
  const app = await testApp()
  const first = sessionOf(app, await registeredBrowser(app, ann)).login?.id ?? ''
  const browser = app.browser()
  await logIn(browser, ann)
  const second = sessionOf(app, browser).login?.id ?? ''
  const keys = (await allLogins(app.db)).map(({ key }) => Buffer.from(key).toString('latin1'))
  expect([first, second]).toEqual([
    expect.stringMatching(/^[a-z2-7]{26}$/),
    expect.stringMatching(/^[a-z2-7]{26}$/),
  ])
  expect(first).not.toBe(second)
  expect(keys.join('')).not.toContain(first)
})

test('logging in starts a fresh session', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const browser = withSession(app, {
    confirmedAt: 1,
    wanted: '/up',
    setup: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
    errors: { a: 'b' },
    old: { a: 'b' },
  })
  await logIn(browser, ann, { stay: true })
  const session = sessionOf(app, browser)
  expect(session).toEqual({ login: expect.anything(), confirmedAt: app.now().getTime() })
})

test('logout empties the whole session, flash included', async () => {
  const app = await testApp()
  const { login } = sessionOf(app, await registeredBrowser(app, ann))
  const browser = withSession(app, {
    login,
    confirmedAt: 1,
    wanted: '/a',
    flash: { error: 'old' },
    errors: { a: 'b' },
  })
  await browser.post('/logout', {}, { stay: true })
  expect(sessionOf(app, browser)).toEqual({
    clearHistory: true,
    flash: { success: 'You are logged out.' },
  })
})

test('a session cookie from before the logout logs nobody in', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const kept = browser.cookies.get(cookie) ?? ''
  await browser.post('/logout')
  browser.cookies.set(cookie, kept)
  expect((await browser.get('/')).user).toBeNull()
})

const stores = ['cookie', 'database'] as const

test.for(stores)(
  'a request with an old session cookie that shows no page does not replace a newer one: %s',
  async (sessionStore) => {
    const app = await testApp({ config: { sessionStore } })
    const before = await verifiedBrowser(app)
    const now = copyOf(app, before)
    const form = { _method: 'PUT', current_password: ann.password, ...newPassword }
    const { location } = await now.post('/settings/password', form, { stay: true })
    const answers = [
      await before.send('GET', '/up'),
      await before.send('GET', '/nowhere.png', { headers: { 'Sec-Fetch-Dest': 'image' } }),
      await before.send('GET', '/apple-touch-icon.png', { headers: { Accept: '*/*' } }),
      await before.get('/dashboard', { headers: { 'X-Page-Version': 'old' }, stay: true }),
      await before.send('POST', '/logout', { headers: { Origin: 'http://evil.test' } }),
    ]
    expect(location).toBe('/settings/security')
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 404, 409, 403])
    expect(answers.map(({ headers }) => headers['set-cookie'])).toEqual(
      answers.map(() => undefined),
    )
    expect((await now.get('/dashboard')).user?.name).toBe('Ann')
  },
)

test('logging out in one browser leaves another logged in', async () => {
  const app = await testApp()
  const one = await registeredBrowser(app, ann)
  const other = app.browser()
  await logIn(other, ann)
  await one.post('/logout')
  expect((await other.get('/')).user?.name).toBe(ann.name)
})

const failing: Handler = action({ email: [email] }, (c) => redirect(c, '/'))
const telling: Handler = (c) => redirect(c, '/', { success: 'x'.repeat(5000) })
const home: Handler = (c) => page(c, 'Home', {})
// oxfmt-ignore
const big = [
  { method: 'PATCH',  name: 'home', who: users,    handler: failing },
  { method: 'DELETE', name: 'home', who: users,    handler: telling },
  { method: 'GET',    name: 'home', who: everyone, handler: home },
] as const

/** Returns a browser that is logged in at an app with only the big forms. */
async function loggedIn(app: TestApp): Promise<Browser> {
  const front = await testApp({
    config: { keys: app.config.keys, database: app.config.database },
  })
  const browser = app.browser()
  browser.cookies.set(cookie, (await registeredBrowser(front, ann)).cookies.get(cookie) ?? '')
  return browser
}

test('old input too big for the cookie is left out, and the login and errors are preserved', async () => {
  const app = await testApp({ routes: big })
  const browser = await loggedIn(app)
  const body = `email=x&name=${'x'.repeat(60_000)}`
  const sent = await browser.send('PATCH', '/', { body })
  const visit = await browser.document('/')
  expect(sent.headers['set-cookie']?.[0]?.length).toBeLessThanOrEqual(4096)
  expect(visit.user?.name).toBe(ann.name)
  expect(visit.errors).toHaveProperty('email')
  expect(visit.page.props).not.toHaveProperty('old')
})

test('old input that fits the cookie is preserved', async () => {
  const app = await testApp({ routes: big })
  const browser = await loggedIn(app)
  await browser.send('PATCH', '/', { body: `email=x&name=${'x'.repeat(1500)}` })
  expect((await browser.document('/')).page.props.old).toMatchObject({ email: 'x' })
})

test('a flash too big for the cookie is left out, and the login is preserved', async () => {
  const app = await testApp({ routes: big })
  const browser = await loggedIn(app)
  const sent = await browser.send('DELETE', '/')
  const visit = await browser.get('/')
  expect(sent.headers['set-cookie']?.[0]?.length).toBeLessThanOrEqual(4096)
  expect(visit.flash).toEqual({})
  expect(visit.user?.name).toBe(ann.name)
})

test('a remembered page too long for the cookie is left out', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  const sent = await browser.get(`/dashboard?a=${'x'.repeat(7000)}`, { stay: true })
  const back = await logIn(browser, ann, { stay: true })
  expect(sent.headers['set-cookie']?.[0]?.length ?? 0).toBeLessThanOrEqual(4096)
  expect(back.location).toBe('/dashboard')
})

test('the session cookie does not reveal its content', async () => {
  const app = await testApp()
  const browser = app.browser()
  await browser.document('/register', { ...registration(ann), name: '' }, { stay: true })
  const value = browser.cookies.get(cookie) ?? ''
  expect(sessionOf(app, browser).old).toMatchObject({ email: ann.email })
  expect(Buffer.from(value, 'base64url').toString('latin1')).not.toContain(ann.email)
})
