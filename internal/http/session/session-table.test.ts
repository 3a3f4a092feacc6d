import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { sha256 } from '../../base/crypto/random.ts'
import { uploadHeaders } from '../../testing/network/held-upload.ts'
import { requestPasskeyOptions } from '../../testing/passkeys.ts'
import { ann, bob, logIn, registeredBrowser, registration } from '../../testing/people.ts'
import { hideLogins, showLogins } from '../../testing/database/hidden-tables.ts'
import { beforeNextTransaction } from '../../testing/app-hooks.ts'
import { allLogins, allUsers } from '../../testing/database/rows.ts'
import { allSessions, copyFirstSession, allowSessions, refuseSessions } from '#testing/rows'
import {
  copyOf,
  hideSessions,
  sessionCookieOf,
  showSessions,
  storedSession,
} from '../../testing/sessions.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { beginTwoFactorSetup, turnOn, verifiedBrowser } from '../../testing/two-factor.ts'
import { everyone } from '../guards.ts'
import { page } from '../page/page.ts'
import { redirect } from '../reply.ts'
import { openName } from './session-name.ts'
import { routes } from '../routes.ts'
import { emptySession } from './session.ts'
import type { Browser } from '../../testing/browser.ts'
import type { Config } from '../../base/settings/config.ts'
import type { OpenApp } from '../../open-app.ts'
import type { Handler } from '../form/form.ts'

const stay = { stay: true }
const none: readonly unknown[] = []

function tableApp(config: Partial<Config> = {}): Promise<TestApp> {
  return testApp({ config: { sessionStore: 'database', ...config } })
}

/** Restarts the service with other settings. */
function restarted({ config }: TestApp, changed: Partial<Config>): Promise<TestApp> {
  const { database, keys } = config
  return testApp({ config: { database, keys, ...changed } })
}

function nameOf(app: TestApp, browser: Browser) {
  return openName(app, sessionCookieOf(browser))
}

const tell: Handler = (c) => redirect(c, '/', { success: 'late' })

/** Returns an app that holds `PATCH /` until `letGo`; `arrived` resolves after `awaited` such requests. */
async function slowApp(answer = tell, awaited = 1) {
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  let came = 0
  const slow: Handler = async (c) => {
    came += 1
    if (came === awaited) arrive()
    await gate
    return answer(c)
  }
  const late = { method: 'PATCH', name: 'home', who: everyone, handler: slow } as const
  const config = { sessionStore: 'database' } as const
  return { app: await testApp({ config, routes: [...routes, late] }), arrived, letGo }
}

test('the cookie contains only the session ID, and the row its hash', async () => {
  const app = await tableApp()
  const browser = await registeredBrowser(app, ann)
  const name = nameOf(app, browser)
  const [row, ...others] = await allSessions(app.db)
  expect(name?.id).toMatch(/^[a-z2-7]{26}$/)
  expect(sessionCookieOf(browser)).toHaveLength(72)
  expect(row).toMatchObject({ key: sha256(name?.id ?? ''), userId: 1 })
  expect(others).toEqual([])
})

test('neither the cookie nor the row reveals the content of the session', async () => {
  const app = await tableApp()
  const browser = await verifiedBrowser(app)
  const secret = await beginTwoFactorSetup(browser)
  const [row] = await allSessions(app.db)
  const decoded = Buffer.from(sessionCookieOf(browser) + row?.payload, 'base64url').toString(
    'latin1',
  )
  expect((await storedSession(app, browser)).setup).toBe(secret)
  expect(decoded + row?.payload).not.toContain(secret)
  expect(decoded).not.toContain('confirmedAt')
})

test('the content of one session row is invalid in another', async () => {
  const app = await tableApp()
  const own = await registeredBrowser(app, ann)
  const other = await registeredBrowser(app, bob)
  await copyFirstSession(app.db)
  const users = [(await own.get('/')).user, (await other.get('/')).user]
  // The order of rows is up to the database.
  expect([
    ['Ann', undefined],
    [undefined, 'Bob'],
  ]).toContainEqual(users.map((user) => user?.name))
})

test('a guest with an empty session has no row and no cookie', async () => {
  const app = await tableApp()
  const visit = await app.browser().get('/login')
  expect(visit.headers).not.toHaveProperty('set-cookie')
  expect(await allSessions(app.db)).toEqual(none)
})

test('a session that becomes empty has its row deleted and its cookie ended', async () => {
  const app = await tableApp()
  const browser = app.browser()
  await browser.document('/login', { email: 'x', password: 'y' }, stay)
  const [row] = await allSessions(app.db)
  const visit = await browser.document('/login')
  expect(row?.userId).toBeNull()
  expect(visit.errors).toEqual({ email: errorWords.wrongLogin })
  expect(sessionCookieOf(browser)).toBe('')
  expect(await allSessions(app.db)).toEqual(none)
})

test('a login gets a new session ID, and the one before it does not log anybody in', async () => {
  const app = await tableApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  await browser.get('/dashboard', stay)
  const thief = copyOf(app, browser)
  const before = nameOf(app, browser)
  await logIn(browser, ann)
  const keys = (await allSessions(app.db)).map(({ key }) => key.toString('hex'))
  expect(nameOf(app, browser)?.id).not.toBe(before?.id)
  expect(keys).not.toContain(before?.key.toString('hex'))
  expect((await thief.get('/verify-email')).user).toBeNull()
})

test('a login gets a new session ID when it waits for its code, and another when it is complete', async () => {
  const app = await tableApp()
  const factor = await turnOn(app, await verifiedBrowser(app))
  const browser = app.browser()
  await browser.get('/dashboard', stay)
  const guest = nameOf(app, browser)?.id
  await logIn(browser, ann)
  const waiting = nameOf(app, browser)?.id
  const held = await allSessions(app.db)
  const visit = await browser.post('/two-factor-challenge', { code: factor.code() })
  expect(visit.url).toBe('/dashboard')
  expect(new Set([guest, waiting, nameOf(app, browser)?.id]).size).toBe(3)
  expect(held.map(({ userId }) => userId)).toEqual([1, null])
  expect((await allSessions(app.db)).map(({ userId }) => userId)).toEqual([1, 1])
})

test('a new password ends the session’s previous ID', async () => {
  const app = await tableApp()
  const browser = await verifiedBrowser(app)
  const before = copyOf(app, browser)
  const set = await browser.post('/settings/password', {
    _method: 'PUT',
    current_password: ann.password,
    password: 'another horse',
    password_confirmation: 'another horse',
  })
  expect(set.flash).toEqual({ success: flashWords.passwordChanged })
  expect((await before.get('/')).user).toBeNull()
  expect((await browser.get('/')).user?.name).toBe('Ann')
  expect(await allSessions(app.db)).toHaveLength(1)
})

test('logout deletes the session row, and a cookie from before it logs nobody in', async () => {
  const app = await tableApp()
  const browser = await registeredBrowser(app, ann)
  const copy = copyOf(app, browser)
  const home = await browser.post('/logout')
  const after = await copy.get('/')
  expect([home.flash, home.page.clearHistory]).toEqual([{ success: flashWords.loggedOut }, true])
  expect(await allSessions(app.db)).toEqual(none)
  expect([after.user, after.page.clearHistory, sessionCookieOf(copy)]).toEqual([null, true, ''])
})

test('deleting an account deletes all its sessions, and its browser sees that it is deleted', async () => {
  const app = await tableApp()
  const browser = await registeredBrowser(app, ann)
  const other = app.browser()
  await logIn(other, ann)
  const fields = { _method: 'DELETE', password: ann.password }
  const home = await browser.post('/settings/profile', fields)
  expect([home.flash, home.page.clearHistory]).toEqual([
    { success: flashWords.accountDeleted },
    true,
  ])
  expect(await allSessions(app.db)).toEqual(none)
  expect((await other.get('/')).user).toBeNull()
})

/**
 * Returns an app with sessions in rows, on the database of one with sessions in cookies. `deleteAfter` makes
 * another browser of Ann's delete her account after so many transactions of the next request.
 */
async function withDeletion() {
  const cookies = await testApp()
  const first = await verifiedBrowser(cookies)
  const steps: (() => Promise<unknown>)[] = []
  const served = (opened: OpenApp) =>
    beforeNextTransaction(opened, async () => void (await steps.shift()?.()))
  const { database, keys } = cookies.config
  const app = await testApp({
    config: { database, keys, sessionStore: 'database' },
    serverApp: served,
  })
  const other = app.browser()
  await logIn(other, ann)
  const fields = { _method: 'DELETE', password: ann.password }
  const deleteAfter = (done: number) => {
    steps.push(...Array.from({ length: done }, () => async () => {}))
    steps.push(() => other.post('/settings/profile', fields, stay))
  }
  return { app, first, deleteAfter }
}

test('a login whose account is deleted before its session is stored leads to the login page', async () => {
  const { app, deleteAfter } = await withDeletion()
  deleteAfter(1)
  const browser = app.browser()
  const { url, user, page } = await logIn(browser, ann)
  expect([url, user, page.clearHistory]).toEqual(['/login', null, true])
  expect([await allUsers(app.db), await allLogins(app.db)]).toEqual([none, none])
})

test('a two-factor login whose account is deleted before its session is stored leads to the login page', async () => {
  const { app, first, deleteAfter } = await withDeletion()
  const factor = await turnOn(app, copyOf(app, first))
  const browser = app.browser()
  await logIn(browser, ann)
  deleteAfter(1)
  const { url, user, page } = await browser.post('/two-factor-challenge', { code: factor.code() })
  expect([url, user, page.clearHistory]).toEqual(['/login', null, true])
  expect([await allUsers(app.db), await allLogins(app.db)]).toEqual([none, none])
})

test('a session that gets its row while its account is deleted becomes a guest’s', async () => {
  const { app, first, deleteAfter } = await withDeletion()
  const browser = copyOf(app, first)
  deleteAfter(0)
  const before = await browser.get('/')
  const { user, page } = await browser.get('/')
  expect([before.status, user, page.clearHistory]).toEqual([200, null, true])
  expect(await allUsers(app.db)).toEqual(none)
})

test('each visit extends the session, and writes its row at most once a minute', async () => {
  const app = await tableApp()
  const browser = await registeredBrowser(app, ann)
  const ends = async () => (await allSessions(app.db)).map(({ endsAt }) => endsAt.toISOString())
  await app.pass({ seconds: 59 })
  const early = await browser.get('/')
  await app.awaitWrites()
  const before = await ends()
  await app.pass({ minutes: 30 })
  const late = await browser.get('/')
  await app.awaitWrites()
  expect(early.headers).not.toHaveProperty('set-cookie')
  expect(late.headers['set-cookie']?.[0]).toContain('; Max-Age=7200;')
  expect([before, await ends()]).toEqual([
    ['2026-01-05T12:00:00.000Z'],
    ['2026-01-05T12:30:59.000Z'],
  ])
})

test('a session row ends 2 hours after its last visit, a remembered one after 30 days', async () => {
  const app = await tableApp()
  const usual = await registeredBrowser(app, ann)
  const remembered = app.browser()
  await remembered.post('/login', { ...ann, remember: 'on' })
  await app.pass({ hours: 2 })
  const after = await usual.get('/')
  await app.pass({ days: 29, hours: 21 })
  const month = await remembered.get('/')
  await app.pass({ days: 30 })
  expect([after.user, month.user?.name, (await remembered.get('/')).user]).toEqual([
    null,
    'Ann',
    null,
  ])
})

test('a request with X-Page-Unasked does not change the session', async () => {
  const app = await tableApp()
  const browser = await registeredBrowser(app, ann)
  await browser.get('/confirm-password', stay)
  await browser.post('/verify-email', {}, stay)
  const before = await allSessions(app.db)
  await app.pass({ minutes: 5 })
  const visit = await browser.get('/verify-email', { headers: { 'X-Page-Unasked': 'true' } })
  expect([visit.flash, visit.headers['set-cookie']]).toEqual([{}, undefined])
  expect(await allSessions(app.db)).toEqual(before)
})

test('simultaneous requests do not overwrite each other’s changes to the session', async () => {
  const app = await tableApp()
  const browser = await registeredBrowser(app, ann)
  const options = '/settings/passkeys/options'
  const [one, two, three] = await Promise.all([
    requestPasskeyOptions<PublicKeyCredentialCreationOptionsJSON>(copyOf(app, browser), options),
    requestPasskeyOptions<PublicKeyCredentialCreationOptionsJSON>(copyOf(app, browser), options),
    requestPasskeyOptions<PublicKeyCredentialCreationOptionsJSON>(copyOf(app, browser), options),
    copyOf(app, browser).post('/verify-email', {}, stay),
    copyOf(app, browser).document('/settings/profile', { _method: 'PATCH', name: '' }, stay),
  ])
  const { challenges, flash, errors, login } = await storedSession(app, browser)
  expect(new Set(challenges)).toEqual(new Set([one, two, three].map(({ challenge }) => challenge)))
  expect([flash, Object.keys(errors ?? {}).toSorted(), login?.userId]).toEqual([
    { success: flashWords.linkSent },
    ['email', 'name'],
    1,
  ])
})

test('only one of several pages requested at once shows the flash', async () => {
  const { app, arrived, letGo } = await slowApp((c) => page(c, 'Home', {}), 4)
  const browser = await registeredBrowser(app, ann)
  await browser.post('/verify-email', {}, stay)
  const asking = { headers: { 'X-Page': 'true' } }
  const sent = Array.from({ length: 4 }, () => copyOf(app, browser).send('PATCH', '/', asking))
  await arrived
  letGo()
  const messages = (await Promise.all(sent)).map(({ flash }) => flash.success)
  expect(messages.filter((text) => text !== undefined)).toEqual([flashWords.linkSent])
  expect((await browser.get('/')).flash).toEqual({})
})

test('a form whose browser hangs up before it is sent leaves the flash to the next page', async () => {
  const app = await tableApp()
  const browser = await registeredBrowser(app, ann)
  await browser.post('/verify-email', {}, stay)
  const part = `${uploadHeaders(browser.cookies)}Content-Length: 1000\r\n\r\n--edge`
  connect({ host: '127.0.0.1', port: app.port })
    .on('error', () => {})
    .resume()
    .end(part)
  const logged = () => app.logLines.map(({ facts }) => facts)
  await expect.poll(logged).toContainEqual(expect.objectContaining({ status: 400, user: 1 }))
  expect((await browser.get('/')).flash).toEqual({ success: flashWords.linkSent })
})

test('a flash stored while a page is being answered is preserved for the next one', async () => {
  const { app, arrived, letGo } = await slowApp((c) => page(c, 'Home', {}))
  const browser = await registeredBrowser(app, ann)
  await browser.post('/verify-email', {}, stay)
  const late = copyOf(app, browser).send('PATCH', '/', { headers: { 'X-Page': 'true' } })
  await arrived
  await browser.get('/verify-email/1/altered', stay)
  letGo()
  expect((await late).flash).toEqual({})
  const { linkSent: success, linkExpired: error } = flashWords
  expect((await browser.get('/')).flash).toEqual({ success, error })
})

test('of two responses that empty a session the second does not undo the first', async () => {
  const { app, arrived, letGo } = await slowApp((c) => {
    c.session = emptySession
    return redirect(c, '/')
  })
  const browser = await registeredBrowser(app, ann)
  const late = copyOf(app, browser).send('PATCH', '/')
  await arrived
  await browser.post('/logout', {}, stay)
  letGo()
  expect((await late).headers).not.toHaveProperty('set-cookie')
  expect(await allSessions(app.db)).toHaveLength(1)
})

test('a response after the logout does not bring the session back', async () => {
  const { app, arrived, letGo } = await slowApp()
  const browser = await registeredBrowser(app, ann)
  const copy = copyOf(app, browser)
  const late = copy.send('PATCH', '/')
  await arrived
  await browser.post('/logout')
  letGo()
  expect((await late).headers).not.toHaveProperty('set-cookie')
  expect(await allSessions(app.db)).toEqual(none)
  expect((await copy.get('/')).user).toBeNull()
})

test('a response to a guest after the login does not end the login', async () => {
  const { app, arrived, letGo } = await slowApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  await browser.get('/dashboard', stay)
  const late = copyOf(app, browser).send('PATCH', '/')
  await arrived
  await logIn(browser, ann)
  letGo()
  expect((await late).headers).not.toHaveProperty('set-cookie')
  expect(await storedSession(app, browser)).not.toHaveProperty('flash')
  expect((await browser.get('/')).user?.name).toBe('Ann')
})

test('the input of a very long form is preserved, with its errors', async () => {
  const app = await tableApp()
  const name = 'x'.repeat(60_000)
  const browser = await registeredBrowser(app, ann)
  await browser.document('/settings/profile', { _method: 'PATCH', name, email: 'nobody' }, stay)
  const visit = await browser.document('/settings/profile')
  expect(visit.page.props.old).toMatchObject({ name, email: 'nobody' })
  expect(Object.keys(visit.errors)).toContain('email')
})

test('a guest’s session row holds no more than a cookie does', async () => {
  const app = await tableApp()
  const [browser, other] = [app.browser(), app.browser()]
  const name = '\u0001'.repeat(20_000)
  await browser.document('/register', { ...registration(ann), name, email: 'nobody' }, stay)
  const far = await other.get(`/dashboard?a=${'x'.repeat(7000)}`, stay)
  const rows = await allSessions(app.db)
  const visit = await browser.document('/register')
  expect(rows.map(({ payload }) => payload.length < 6_000)).toEqual([true])
  expect(Object.keys(visit.errors)).toContain('email')
  expect(visit.page.props).not.toHaveProperty('old')
  expect([far.location, far.headers['set-cookie']]).toEqual(['/login', undefined])
})

test('moving sessions from cookies to the table logs nobody out, and moving back logs everybody out', async () => {
  const cookies = await testApp()
  const first = await registeredBrowser(cookies, ann)
  await first.post('/verify-email', {}, stay)
  const table = await restarted(cookies, { sessionStore: 'database' })
  const moved = copyOf(table, first)
  const page = await moved.get('/verify-email')
  const kept = await allSessions(table.db)
  const again = await restarted(table, {})
  const back = copyOf(again, moved)
  const home = await back.get('/')
  expect([page.user?.name, page.flash]).toEqual(['Ann', { success: flashWords.linkSent }])
  expect(kept).toMatchObject([{ userId: 1 }])
  expect(nameOf(table, moved)).toBeDefined()
  expect([home.user, home.page.clearHistory, sessionCookieOf(back)]).toEqual([null, true, ''])
})

test('a session cookie from before the move to the table is valid only as long as its login', async () => {
  const cookies = await testApp()
  const first = await registeredBrowser(cookies, ann)
  const table = await restarted(cookies, { sessionStore: 'database' })
  const [moved, copy] = [copyOf(table, first), copyOf(table, first)]
  await moved.get('/')
  const name = nameOf(table, moved)
  const before = await copyOf(table, copy).get('/')
  await moved.post('/logout')
  expect(name).toBeDefined()
  expect([before.user?.name, (await copy.get('/')).user]).toEqual(['Ann', null])
})

test('an expired session cookie is not moved to the table', async () => {
  const cookies = await testApp()
  const first = await registeredBrowser(cookies, ann)
  const table = await restarted(cookies, { sessionStore: 'database' })
  await table.pass({ hours: 2, seconds: 1 })
  expect((await copyOf(table, first).get('/')).user).toBeNull()
  expect(await allSessions(table.db)).toEqual(none)
})

test('while sessions cannot be read, pages are shown as for a guest, and the session is preserved', async () => {
  const app = await tableApp()
  const browser = await registeredBrowser(app, ann)
  await app.pass({ minutes: 2 })
  await hideSessions(app.db)
  const home = await browser.get('/')
  const dashboard = await browser.get('/dashboard')
  const sheet = await browser.get('/assets/style-test.css')
  const up = await browser.get('/up')
  const form = await logIn(browser, ann, stay)
  await showSessions(app.db)
  expect([home, dashboard, sheet, up, form].map(({ status }) => status)).toEqual([
    200, 500, 200, 200, 500,
  ])
  expect(home.user).toBeNull()
  expect(await allLogins(app.db)).toHaveLength(1)
  expect((await browser.get('/')).user?.name).toBe('Ann')
  expect(app.logLines.map(({ message }) => message)).toContain('the session could not be read')
})

test('a session is preserved while its user cannot be loaded', async () => {
  const app = await tableApp()
  const browser = await registeredBrowser(app, ann)
  await app.pass({ minutes: 2 })
  await hideLogins(app.db)
  const home = await browser.get('/')
  await showLogins(app.db)
  expect([home.status, home.user, home.headers['set-cookie']]).toEqual([200, null, undefined])
  expect((await browser.get('/')).user?.name).toBe('Ann')
})

test('a login whose session cannot be stored is a 500, and nobody is logged in', async () => {
  const app = await tableApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  await refuseSessions(app.db)
  const sent = await logIn(browser, ann, stay)
  await allowSessions(app.db)
  expect([sent.status, sent.headers['set-cookie'], sent.user]).toEqual([500, undefined, null])
  expect((await browser.get('/')).user).toBeNull()
})

test('a page whose flash cannot be consumed is shown without it, and the next page shows it', async () => {
  const app = await tableApp()
  const browser = await registeredBrowser(app, ann)
  await browser.post('/verify-email', {}, stay)
  await refuseSessions(app.db)
  const visit = await browser.get('/verify-email')
  await allowSessions(app.db)
  const next = await browser.get('/verify-email')
  expect([visit.status, visit.user?.name, visit.flash]).toEqual([200, 'Ann', {}])
  expect(next.flash).toEqual({ success: flashWords.linkSent })
})
