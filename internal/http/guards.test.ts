import { expect, test } from 'vitest'
import { flashWords } from '#words/flash'
import { ann, bob, logIn, registeredBrowser, registration } from '../testing/people.ts'
import { chosen, png } from '../testing/formats/photos.ts'
import { hideLogins, showLogins } from '../testing/database/hidden-tables.ts'
import { verifyEmails } from '../testing/database/rows.ts'
import { testApp, type TestApp } from '../testing/test-app.ts'
import { verifiedBrowser } from '../testing/two-factor.ts'
import { action } from './form/form.ts'
import { confirmedUsers, guests, users } from './guards.ts'
import { showDashboard } from './handlers/dashboard.ts'
import { showHome } from './handlers/home.ts'
import { showProfile } from './handlers/settings/profile.ts'
import { routes } from './routes.ts'
import { redirect } from './reply.ts'
import type { Browser, Visit } from '../testing/browser.ts'
import type { Route } from './router.ts'

/** Returns where a guest lands by logging in after this request was turned away. */
async function afterLogin(ask: (browser: Browser) => Promise<Visit>): Promise<string | undefined> {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  const turned = await ask(browser)
  expect(turned).toMatchObject({ status: 303, location: '/login' })
  return (await logIn(browser, ann, { stay: true })).location
}

/** Returns where a guest who sends a form with this Referer lands by logging in. */
function afterLoginFrom(referer: string): Promise<string | undefined> {
  return afterLogin((browser) =>
    browser.post('/logout', {}, { headers: { Referer: referer }, stay: true }),
  )
}

test('a guest on a users-only page is sent to log in, and returns to it afterwards', async () => {
  const location = await afterLogin((browser) =>
    browser.get('/verify-email?a=1&b=%20', { stay: true }),
  )
  expect(location).toBe('/verify-email?a=1&b=%20')
})

test('a HEAD or a prefetch of a users-only page is not remembered for after login', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  await browser.get('/verify-email?wanted')
  await browser.send('HEAD', '/verify-email?looked')
  await browser.get('/verify-email?fetched', { headers: { Purpose: 'prefetch' }, stay: true })
  const back = await logIn(browser, ann)
  expect(back.url).toBe('/verify-email?wanted')
})

test('a users-only page requested as a document is remembered for after login', async () => {
  const location = await afterLogin((browser) =>
    browser.document('/dashboard?a=1', undefined, { stay: true }),
  )
  expect(location).toBe('/dashboard?a=1')
})

test('a remembered page that is not a plain path of this site falls back to the dashboard', async () => {
  const location = await afterLogin((browser) => browser.get('/dashboard?a=\\b', { stay: true }))
  expect(location).toBe('/dashboard')
})

test('after a guest’s form, login leads to the page in its Referer', async () => {
  expect(await afterLoginFrom('http://app.test/register?a=1')).toBe('/register?a=1')
})

test('after a guest’s form from another site or without a Referer, login leads to the dashboard', async () => {
  expect(await afterLoginFrom('https://evil.test/register')).toBe('/dashboard')
  expect(await afterLoginFrom('http://app.test.evil.test/register')).toBe('/dashboard')
  expect(await afterLoginFrom('http://app.test@evil.test/register')).toBe('/dashboard')
  expect(await afterLoginFrom('')).toBe('/dashboard')
})

test('after a guest’s form whose Referer leads off this site, login leads to the dashboard', async () => {
  expect(await afterLoginFrom('http://app.test//evil.test')).toBe('/dashboard')
  expect(await afterLoginFrom('http://app.test/\\evil.test')).toBe('/dashboard')
  expect(await afterLoginFrom('http://app.test/.//evil.test')).toBe('/dashboard')
  expect(await afterLoginFrom('http://app.test/%2F/evil.test')).toBe('/dashboard')
})

test('a guest’s JSON request gets a 401 with where to log in', async () => {
  const app = await testApp()
  const visit = await app.browser().postJson('/logout', {})
  expect(visit.status).toBe(401)
  expect(visit.json).toEqual({ message: 'Log in first.', redirect: '/login' })
})

test('after a guest’s JSON request, login leads to the page in its Referer', async () => {
  const app = await testApp()
  await verifiedBrowser(app)
  const browser = app.browser()
  const headers = { Referer: 'http://app.test/notifications' }
  await browser.postJson('/settings/passkeys/options', {}, { headers })
  expect((await logIn(browser, ann)).url).toBe('/notifications')
})

test('a user without a verified email is sent to the verify page', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const before = await browser.get('/dashboard', { stay: true })
  await verifyEmails(app.db, app.now())
  const after = await browser.get('/dashboard')
  expect(before).toMatchObject({ status: 303, location: '/verify-email' })
  expect(after.component).toBe('Dashboard')
})

test('an unverified user sees why a page does not open, but no message after login or registration', async () => {
  const app = await testApp()
  const browser = app.browser()
  await browser.get('/register')
  const visits = [await browser.post('/register', registration(ann))]
  await browser.post('/logout')
  await browser.get('/login?again')
  visits.push(await logIn(browser, ann))
  // From a page for guests that was still open.
  const stale = { headers: { Referer: 'http://app.test/forgot-password' } }
  visits.push(await browser.get('/login', stale))
  expect(visits.map(({ component, flash }) => [component, flash])).toEqual([
    ['Auth/VerifyEmail', {}],
    ['Auth/VerifyEmail', {}],
    ['Auth/VerifyEmail', {}],
  ])
  await browser.get('/settings/profile')
  const refusals = [await browser.get('/dashboard'), await browser.get('/settings/security')]
  const why = { error: flashWords.verifyFirst }
  expect(refusals.map(({ flash }) => flash)).toEqual([why, why])
  await browser.send('HEAD', '/settings/security', { stay: true })
  expect((await browser.get('/verify-email')).flash).toEqual({})
})

test('a guest on a page for verified users is sent to log in', async () => {
  const app = await testApp()
  expect((await app.browser().get('/dashboard', { stay: true })).location).toBe('/login')
})

test('an unverified user’s JSON request gets a 403 with where to verify', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const visit = await browser.send('GET', '/dashboard', {
    headers: { 'Content-Type': 'application/json' },
  })
  expect(visit.status).toBe(403)
  expect(visit.json).toEqual({ message: 'Verify your email first.', redirect: '/verify-email' })
})

test('a logged-in user on a guests-only page goes to the dashboard', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const visit = await browser.get('/login', { stay: true })
  const sent = await logIn(browser, ann, { stay: true })
  expect(visit).toMatchObject({ status: 303, location: '/dashboard' })
  expect(sent).toMatchObject({ status: 303, location: '/dashboard' })
})

test('a validation-only request of a guests-only form leaves no flash for a logged-in user', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const headers = { 'X-Page-Validate-Only': 'email' }
  await browser.post('/register', registration(bob), { headers, stay: true })
  expect((await browser.get('/dashboard')).flash).toEqual({})
})

test('a logged-in user who opens the page for a forgotten password sees that they must log out first', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const { url, flash } = await browser.get('/forgot-password')
  expect([url, flash]).toEqual(['/verify-email', { error: flashWords.askLoggedIn }])
})

test('a logged-in user who sends a login, registration or reset form sees why it has no effect', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const visits = [
    await logIn(browser, bob),
    await browser.post('/register', registration(bob)),
    await browser.post('/forgot-password', { email: bob.email }),
  ]
  for (const { component, flash } of visits)
    expect([component, flash]).toEqual(['Dashboard', { error: flashWords.isLoggedIn }])
  const reset = { ...registration(ann), token: 'x' }
  expect((await browser.post('/reset-password', reset)).flash.error).toBe(flashWords.resetLoggedIn)
  // The same form, sent twice.
  expect((await logIn(browser, ann)).flash).toEqual({})
})

test('a request from a page shown to another user changes nothing and reports that another is logged in', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const headers = { 'X-Page-User': '2', Referer: `${app.config.origin}/settings/profile` }
  const change = { _method: 'PATCH', name: 'Bob', email: bob.email }
  const refused = await browser.post('/settings/profile', change, { headers })
  expect([refused.url, refused.flash]).toEqual([
    '/settings/profile',
    { error: flashWords.anotherIsLoggedIn },
  ])
  expect(refused.user).toMatchObject({ name: ann.name, email: ann.email })
  const json = await browser.postJson('/settings/passkeys/options', {}, { headers })
  expect([json.status, json.json]).toEqual([
    409,
    { message: flashWords.anotherIsLoggedIn, redirect: '/settings/profile' },
  ])
  expect((await browser.post('/logout', {}, { headers })).user).not.toBe(null)
  const german = { _method: 'PUT', language: 'de' }
  expect((await browser.post('/language', german, { headers })).page.props['language']).toBe('en')
  expect((await browser.get('/dashboard', { headers })).status).toBe(200)
  const own = { headers: { ...headers, 'X-Page-User': '1' } }
  expect((await browser.post('/settings/profile', change, own)).user?.name).toBe('Bob')
})

test('a form whose _user field names another user changes nothing, unless X-Page-User overrides it', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const headers = { Referer: `${app.config.origin}/settings/profile` }
  const change = { _method: 'PATCH', name: 'Bob', email: ann.email }
  const refused = await browser.post('/settings/profile', { ...change, _user: '2' }, { headers })
  expect([refused.url, refused.flash]).toEqual([
    '/settings/profile',
    { error: flashWords.anotherIsLoggedIn },
  ])
  expect(refused.user).toMatchObject({ name: ann.name, email: ann.email })
  const photo = await browser.upload(
    '/settings/profile/photo',
    chosen(png()),
    { _user: '2' },
    { headers },
  )
  expect([photo.flash, photo.user?.photo]).toEqual([refused.flash, null])
  // The page client's header overrides the field: it names the user whom the page was rendered for.
  const own = { headers: { ...headers, 'X-Page-User': '1' } }
  expect((await browser.post('/settings/profile', { ...change, _user: '2' }, own)).user?.name).toBe(
    'Bob',
  )
  const sent = await browser.upload('/settings/profile/photo', chosen(png()), { _user: '1' })
  expect(sent.user?.photo).not.toBe(null)
})

const guarded = confirmedUsers
const change = action({}, (c) => redirect(c, '/'))
// oxfmt-ignore
const withConfirmed: readonly Route[] = [
  ...routes.filter(({ name }) => name !== 'dashboard'),
  { method: 'GET',  name: 'dashboard',        who: guarded, handler: showDashboard },
  { method: 'POST', name: 'dashboard',        who: guarded, handler: change },
  { method: 'GET',  name: 'password.confirm', who: users,   handler: showHome },
]

/** Returns a browser that confirmed its password three hours ago and has been active since. */
async function lapsed(): Promise<{ app: TestApp; browser: Browser }> {
  const app = await testApp({ routes: withConfirmed })
  const browser = await registeredBrowser(app, ann)
  await app.pass({ hours: 1, minutes: 30 })
  await browser.get('/')
  await app.pass({ hours: 1, minutes: 30 })
  return { app, browser }
}

test('a password counts as confirmed for three hours after it was typed', async () => {
  const app = await testApp({ routes: withConfirmed })
  const browser = await registeredBrowser(app, ann)
  await app.pass({ hours: 1, minutes: 30 })
  await browser.get('/')
  await app.pass({ hours: 1, minutes: 29, seconds: 59 })
  expect((await browser.get('/dashboard')).component).toBe('Dashboard')
})

test('a user whose confirmation has lapsed is sent to confirm the password', async () => {
  const { browser } = await lapsed()
  expect(await browser.get('/dashboard', { stay: true })).toMatchObject({
    status: 303,
    location: '/confirm-password',
  })
})

test('a form sent after the confirmation has lapsed is redirected to confirm, and not processed', async () => {
  const { browser } = await lapsed()
  expect(await browser.post('/dashboard', {}, { stay: true })).toMatchObject({
    status: 303,
    location: '/confirm-password',
  })
})

test('logging in counts as confirming the password', async () => {
  const { app, browser } = await lapsed()
  await browser.post('/logout')
  await logIn(browser, ann)
  expect(app.now().getTime()).toBe(Date.parse('2026-01-05T13:00:00Z'))
  expect((await browser.get('/dashboard')).component).toBe('Dashboard')
})

test('a handler that needs a user does not compile in a route that is open to guests', () => {
  // @ts-expect-error: nobody need be logged in there.
  const row: Route = { method: 'GET', name: 'profile.edit', who: guests, handler: showProfile }
  expect(routes).not.toContainEqual(row)
})

test('a JSON request after the confirmation has lapsed gets a 423 with where to confirm', async () => {
  const { browser } = await lapsed()
  const visit = await browser.postJson('/dashboard', {})
  expect(visit.status).toBe(423)
  expect(visit.json).toEqual({
    message: 'Confirm that it is you first.',
    redirect: '/confirm-password',
  })
})

test('after a JSON request with a lapsed confirmation, confirming leads to the page in its Referer', async () => {
  const { browser } = await lapsed()
  const headers = { Referer: 'http://app.test/notifications' }
  await browser.postJson('/dashboard', {}, { headers })
  const { url } = await browser.post('/confirm-password', { password: ann.password })
  expect(url).toBe('/notifications')
})

test('a guest on a page for confirmed users is sent to log in', async () => {
  const app = await testApp({ routes: withConfirmed })
  expect((await app.browser().get('/dashboard', { stay: true })).location).toBe('/login')
})

test('a users-only page gets a 500 while the database fails', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await hideLogins(app.db)
  const visit = await browser.get('/verify-email')
  expect(visit.status).toBe(500)
  expect(visit.page).toMatchObject({ component: 'Error', props: { auth: { user: null } } })
})

test('a page for everyone is shown as for a guest while the database fails, and the failure is logged', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await hideLogins(app.db)
  const visit = await browser.get('/')
  expect(visit.status).toBe(200)
  expect(visit.user).toBeNull()
  expect(app.logLines).toContainEqual(
    expect.objectContaining({ level: 'error', message: 'the user could not be looked up' }),
  )
})

test('a session is preserved while the database fails', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await hideLogins(app.db)
  await app.pass({ minutes: 2 })
  await browser.get('/')
  await browser.get('/verify-email')
  await showLogins(app.db)
  expect((await browser.get('/')).user?.name).toBe(ann.name)
})
