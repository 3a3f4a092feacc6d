import { expect, test } from 'vitest'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { security } from '#words/settings/security'
import { addLogins } from '../../../testing/database/add-logins.ts'
import { ann, behindProxy, bob, from, logIn, registeredBrowser } from '../../../testing/people.ts'
import {
  addPasskeysAndTokens,
  allLogins,
  turnOnTwoFactor,
  verifyEmails,
} from '../../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../../testing/test-app.ts'
import type { BrowserLogin } from '../../../../web/contract/pages.ts'
import type { Browser, Visit } from '../../../testing/browser.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0'
const stay = { stay: true }
const destroy = { _method: 'DELETE' }

/** Returns Ann's browser; her email is verified. */
async function verified(): Promise<{ app: TestApp; browser: Browser }> {
  const app = await testApp(behindProxy)
  const browser = await registeredBrowser(app, ann)
  await verifyEmails(app.db, app.now())
  return { app, browser }
}

/** Logs Ann in with another browser, a minute later. */
async function another(app: TestApp, userAgent = 'curl/8'): Promise<Browser> {
  await app.pass({ minutes: 1 })
  const browser = app.browser()
  const { headers } = from('203.0.113.9')
  await logIn(browser, ann, { headers: { ...headers, 'User-Agent': userAgent } })
  return browser
}

function loginsOf({ page }: Visit): readonly BrowserLogin[] {
  return page.props['logins'] as readonly BrowserLogin[]
}

async function listedLogins(browser: Browser): Promise<readonly BrowserLogin[]> {
  return loginsOf(await browser.get('/settings/security'))
}

/** Returns the ID of the account's other login. */
async function idOfOther(browser: Browser): Promise<string> {
  return (await listedLogins(browser)).find(({ current }) => !current)?.id ?? ''
}

async function isIn(browser: Browser): Promise<boolean> {
  return (await browser.get('/verify-email')).user !== null
}

/** Returns where the page and both its forms redirect a browser. */
async function locations(browser: Browser): Promise<(string | undefined)[]> {
  const visits = [
    await browser.get('/settings/security', stay),
    await browser.post('/settings/logins', destroy, stay),
    await browser.post(`/settings/logins/${'0'.repeat(64)}`, destroy, stay),
  ]
  return visits.map(({ location }) => location)
}

test('the security page lists the account’s browsers with name, address and times, the current one first', async () => {
  const { app, browser } = await verified()
  const start = app.now().toISOString()
  const there = await another(app, firefox)
  const second = app.now().toISOString()
  await app.pass({ minutes: 2 })
  const third = app.now().toISOString()
  await there.get('/verify-email')
  await app.awaitWrites()
  const [own, other] = await listedLogins(browser)
  const keys = (await allLogins(app.db)).map(({ key }) => key.toString('hex'))
  expect(own).toMatchObject({ id: keys[0], browser: 'a browser', loggedInAt: start, current: true })
  expect(other).toEqual({
    id: keys[1],
    browser: 'Firefox on Linux',
    address: '203.0.113.9',
    loggedInAt: second,
    lastSeenAt: third,
    current: false,
    device: 'desktop',
  })
})

test('the other browsers are listed by when they were last seen, the latest first', async () => {
  const { app, browser } = await verified()
  await another(app)
  const second = await another(app)
  await another(app)
  await app.pass({ minutes: 2 })
  await second.get('/verify-email')
  await app.awaitWrites()
  await registeredBrowser(app, bob)
  const [, first, middle, last] = (await allLogins(app.db)).map(({ key }) => key.toString('hex'))
  const [own, ...others] = await listedLogins(browser)
  expect(own?.current).toBe(true)
  expect(others.map(({ id }) => id)).toEqual([middle, last, first])
})

test('at most a hundred other browsers are listed, and logging out all others ends the unlisted ones as well', async () => {
  const { app, browser } = await verified()
  await addLogins(app.db, { count: 101, endsAt: new Date(app.now().getTime() + 60_000) })
  expect(await listedLogins(browser)).toHaveLength(101)
  await browser.post('/settings/logins', destroy)
  expect(await allLogins(app.db)).toHaveLength(1)
})

test('the security page says when there are more browsers than it lists', async () => {
  const { app, browser } = await verified()
  const endsAt = new Date(app.now().getTime() + 60_000)
  await addLogins(app.db, { count: 100, endsAt })
  const complete = await browser.document('/settings/security')
  await addLogins(app.db, { count: 1, endsAt })
  const some = await browser.document('/settings/security')
  expect([complete, some].map(({ body }) => body.includes(security.more))).toEqual([false, true])
})

test('a login that has ended is not listed', async () => {
  const { app, browser } = await verified()
  await another(app)
  await app.pass({ minutes: 100 })
  await browser.get('/verify-email')
  await app.pass({ minutes: 20 })
  expect(await listedLogins(browser)).toHaveLength(1)
})

test('the security page shows the passkeys and whether two-factor login is on', async () => {
  const { app, browser } = await verified()
  const at = app.now().toISOString()
  const { props: before } = (await browser.get('/settings/security')).page
  await addPasskeysAndTokens(app.db, app.now())
  await turnOnTwoFactor(app.db)
  const { props: after } = (await browser.get('/settings/security')).page
  expect(before).toMatchObject({ passkeys: [], twoFactor: { enabled: false, setup: null } })
  expect(after).toMatchObject({
    passkeys: [{ id: 1, name: 'Firefox on Linux', createdAt: at, lastUsedAt: null }],
    twoFactor: { enabled: true, setup: null },
  })
})

test('a browser that is logged out from the list is a guest at its next request', async () => {
  const { app, browser } = await verified()
  const [second, third] = [await another(app), await another(app)]
  const rows = await allLogins(app.db)
  const visit = await browser.post(`/settings/logins/${rows[1]?.key.toString('hex')}`, destroy)
  expect([visit.url, visit.flash.success]).toEqual([
    '/settings/security',
    flashWords.browserLoggedOut,
  ])
  expect(loginsOf(visit)).toHaveLength(2)
  expect([await isIn(second), await isIn(third), await isIn(browser)]).toEqual([false, true, true])
})

test('logging out a browser that is already logged out has the same result', async () => {
  const { app, browser } = await verified()
  await another(app)
  const path = `/settings/logins/${await idOfOther(browser)}`
  const [first, second] = [await browser.post(path, destroy), await browser.post(path, destroy)]
  expect([first, second].map(({ flash }) => flash.success)).toEqual([
    flashWords.browserLoggedOut,
    flashWords.browserLoggedOut,
  ])
})

test('the current browser cannot be logged out from the list', async () => {
  const { browser } = await verified()
  const [own] = await listedLogins(browser)
  const visit = await browser.post(`/settings/logins/${own?.id}`, destroy)
  expect([visit.url, visit.flash]).toEqual(['/settings/security', { error: errorWords.ownLogin }])
  expect(await isIn(browser)).toBe(true)
})

test('a user cannot end a login of another account', async () => {
  const { app, browser } = await verified()
  const other = await registeredBrowser(app, bob)
  const rows = await allLogins(app.db)
  const bobs = rows.find(({ userId }) => userId === 2)?.key.toString('hex')
  await browser.post(`/settings/logins/${bobs}`, destroy)
  await browser.post('/settings/logins', destroy)
  expect(await isIn(other)).toBe(true)
})

test('a malformed login ID gets a 404', async () => {
  const { browser } = await verified()
  const id = await listedLogins(browser).then(([own]) => own?.id ?? '')
  const visits = await Promise.all(
    ['1', id.slice(1), `${id}0`, id.toUpperCase().replace(/^./, 'A'), 'g'.repeat(64)].map((other) =>
      browser.post(`/settings/logins/${other}`, destroy, stay),
    ),
  )
  expect(visits.map(({ status }) => status)).toEqual(visits.map(() => 404))
})

test('every other browser is logged out at once, without a new password', async () => {
  const { app, browser } = await verified()
  const others = [await another(app), await another(app)]
  const visit = await browser.post('/settings/logins', destroy)
  expect([visit.url, visit.flash.success]).toEqual([
    '/settings/security',
    flashWords.othersLoggedOut,
  ])
  expect(loginsOf(visit)).toMatchObject([{ current: true }])
  expect(await Promise.all(others.map(isIn))).toEqual([false, false])
  expect((await logIn(app.browser(), ann)).user?.id).toBe(1)
})

test('a JSON client logs other browsers out, and gets an error for its own', async () => {
  const { app, browser } = await verified()
  await another(app)
  const own = (await allLogins(app.db))[0]?.key.toString('hex')
  const done = { status: 200, json: { redirect: '/settings/security' } }
  expect([
    await browser.postJson(`/settings/logins/${own}`, destroy),
    await browser.postJson(`/settings/logins/${await idOfOther(browser)}`, destroy),
    await browser.postJson('/settings/logins', destroy),
  ]).toMatchObject([{ status: 422, json: { message: errorWords.ownLogin } }, done, done])
})

test('the security page and its forms are for verified users who confirmed within three hours', async () => {
  const { app, browser } = await verified()
  const unverified = await registeredBrowser(app, bob)
  await app.pass({ hours: 1.5 })
  await browser.get('/verify-email')
  await app.pass({ hours: 1.5 })
  expect(await locations(app.browser())).toEqual(['/login', '/login', '/login'])
  expect(await locations(browser)).toEqual([
    '/confirm-password',
    '/confirm-password',
    '/confirm-password',
  ])
  await logIn(unverified, bob)
  expect(await locations(unverified)).toEqual(['/verify-email', '/verify-email', '/verify-email'])
})
