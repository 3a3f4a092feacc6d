import { expect, test } from 'vitest'
import { paths } from '../../../web/contract/paths.ts'
import { allUsers, notifyAll, verifyEmails } from '../../testing/database/rows.ts'
import { ann, bob, registeredBrowser, registration } from '../../testing/people.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { turnOn, verifiedBrowser } from '../../testing/two-factor.ts'
import { everyone } from '../guards.ts'
import { routes } from '../routes.ts'
import { Optional, page } from './page.ts'
import type { Browser, Visit } from '../../testing/browser.ts'
import type { Handler } from '../form/form.ts'
import type { Route } from '../router.ts'

const guest = { auth: { user: null }, bell: { unread: 0 }, language: 'en' }

/** Returns a browser that was just logged out: a flash waits for its next page. */
async function loggedOut(app: TestApp): Promise<Browser> {
  const browser = await registeredBrowser(app, ann)
  await browser.post('/logout', {}, { stay: true })
  return browser
}

const flash = { success: 'You are logged out.' }

test('a request with X-Page gets the page as JSON', async () => {
  const app = await testApp()
  const visit = await app.browser().get('/register?from=home')
  expect(visit.headers).toMatchObject({ 'content-type': 'application/json', 'x-page': 'true' })
  expect(visit.json).toEqual({
    component: 'Auth/Register',
    props: { ...guest, errors: {} },
    url: '/register?from=home',
    version: app.assets.scripts('en').version,
    flash: {},
    encryptHistory: true,
    clearHistory: false,
  })
})

test('a request without X-Page gets a document that embeds the same page object', async () => {
  const app = await testApp()
  const json = await app.browser().get('/register')
  const html = await app.browser().document('/register')
  expect(html.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(html.headers).not.toHaveProperty('x-page')
  expect(html.page).toEqual(json.json)
})

test('a document contains the rendered page, followed by its page object', async () => {
  const app = await testApp()
  const { body } = await app.browser().document('/register')
  expect(body).toMatch(
    /<body><div id="app"><.*name="password_confirmation".*<\/div><footer.*<\/footer><script type="application\/json" id="page" data-page="app">{.*}<\/script><\/body>/s,
  )
})

test('a page of a logged-in user carries the user and the count of unread notifications', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await verifyEmails(app.db, app.now())
  await notifyAll(app.db, app.now())
  await notifyAll(app.db, app.now())
  const visit = await browser.get('/')
  expect(visit.page.props).toMatchObject({
    auth: {
      user: {
        id: 1,
        name: ann.name,
        email: ann.email,
        emailVerifiedAt: '2026-01-05T10:00:00.000Z',
        twoFactor: false,
        password: true,
        photo: null,
      },
    },
    bell: { unread: 2 },
    language: 'en',
  })
})

/** Requests every page whose path has no parameter, and one that is not there. */
async function allPages(browser: Browser): Promise<Visit[]> {
  const pages = routes.filter(({ method, unasked }) => method === 'GET' && !unasked)
  const addresses = pages.map(({ name }) => paths[name]).filter((path) => !path.includes('{'))
  const visits: Visit[] = []
  for (const address of [...addresses, '/nowhere']) visits.push(await browser.document(address))
  return visits
}

test('no page of a user contains the password hash, the two-factor secret or the recovery codes', async () => {
  const app = await testApp()
  const browser = await verifiedBrowser(app)
  const { secret, codes } = await turnOn(app, browser)
  const unverified = await registeredBrowser(app, bob)
  const visits = [...(await allPages(browser)), ...(await allPages(unverified))]
  const stored = await allUsers(app.db)
  const sealed = stored.flatMap((user) => [user.twoFactorSecret, user.recoveryCodes])
  const hashes = stored.map(({ passwordHash }) => passwordHash)
  const secrets = ['argon2', secret, ...codes, ...hashes, ...sealed.filter((text) => text !== null)]
  expect(
    new Set(visits.map(({ component }) => component)),
    'One of your own goes into `pagesOfUsers` below.',
  ).toEqual(new Set(pagesOfUsers))
  expect(visits.filter(({ user }) => user === null)).toEqual([])
  for (const { url, body } of visits) {
    const found = secrets.filter((text) => body.includes(text))
    expect([url, found]).toEqual([url, []])
  }
})

const pagesOfUsers = [
  'Home',
  'Dashboard',
  'Notifications',
  'Auth/ConfirmPassword',
  'Auth/VerifyEmail',
  'Settings/Profile',
  'Settings/Security',
  'Settings/Tokens',
  'Settings/Appearance',
  'Error',
]

test('an unknown path gets the page Error with the shared props, for a guest', async () => {
  const app = await testApp()
  const visit = await app.browser().document('/nowhere')
  expect(visit.status).toBe(404)
  expect(visit.page).toMatchObject({
    component: 'Error',
    props: { status: 404, ...guest, errors: {} },
  })
})

test('an unknown path gets the page Error with the user’s shared props, as document and as JSON', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await notifyAll(app.db, app.now())
  const html = await browser.document('/nowhere')
  const json = await browser.get('/nowhere')
  expect(json.status).toBe(404)
  expect(json.headers['x-page']).toBe('true')
  expect(json.page.props).toMatchObject({
    status: 404,
    auth: { user: { name: ann.name } },
    bell: { unread: 1 },
    language: 'en',
  })
  expect(html.page).toEqual(json.json)
})

test('an unknown asset gets the page Error with the user', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const visit = await browser.document('/assets/gone.js')
  expect(visit.status).toBe(404)
  expect(visit.page).toMatchObject({
    component: 'Error',
    props: { auth: { user: { name: ann.name } } },
  })
})

test('a form refused by the CSRF check gets the page Error with the user', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const visit = await browser.post('/logout', {}, { headers: { Origin: 'https://evil.test' } })
  expect(visit.status).toBe(403)
  expect(visit.page).toMatchObject({
    component: 'Error',
    props: { status: 403, auth: { user: { name: ann.name } } },
  })
})

test('a wrong method gets the page Error with the user, and lists the allowed methods', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const visit = await browser.send('DELETE', '/login', { headers: { 'X-Page': 'true' } })
  expect(visit.status).toBe(405)
  expect(visit.headers.allow).toBe('GET, HEAD, POST')
  expect(visit.page).toMatchObject({
    component: 'Error',
    props: { auth: { user: { name: ann.name } } },
  })
})

test('every response that depends on the page protocol’s headers varies by them and is not cached', async () => {
  const app = await testApp()
  const browser = app.browser()
  const answers = [
    await browser.get('/login'),
    await browser.document('/login'),
    await browser.document('/nowhere'),
    await browser.get('/dashboard', { stay: true }),
    await browser.post('/register', {}, { stay: true }),
    await browser.validate('/register', {}),
    await browser.validate('/register', {}, ['remember']),
    await browser.postJson('/register', {}),
    await browser.postJson('/logout', {}),
    await browser.postJson('/register', registration(ann)),
    await browser.get('/', { headers: { 'X-Page-Version': 'old' } }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([
    200, 200, 404, 303, 303, 422, 204, 422, 401, 200, 409,
  ])
  expect(answers.filter(({ headers }) => !headers.vary?.startsWith('X-Page, X-Inertia'))).toEqual(
    [],
  )
  expect(answers.filter(({ headers }) => headers['cache-control'] !== 'no-store, private')).toEqual(
    [],
  )
})

test('a flash survives one redirect and is shown once', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const first = await browser.post('/logout')
  const second = await browser.get('/')
  expect(first.url).toBe('/')
  expect(first.flash).toEqual(flash)
  expect(second.flash).toEqual({})
})

test('a flash in a document is shown once', async () => {
  const app = await testApp()
  const browser = await loggedOut(app)
  const first = await browser.document('/')
  const second = await browser.document('/')
  expect(first.flash).toEqual(flash)
  expect(second.flash).toEqual({})
})

test('a flash is preserved over redirects until a page is shown', async () => {
  const app = await testApp()
  const browser = await loggedOut(app)
  await browser.get('/dashboard', { stay: true })
  await browser.get('/verify-email', { stay: true })
  expect((await browser.get('/login')).flash).toEqual(flash)
})

test('a 409 preserves the flash for the reload', async () => {
  const app = await testApp()
  const browser = await loggedOut(app)
  const stale = await browser.get('/', { headers: { 'X-Page-Version': 'old' } })
  const reloaded = await browser.document('/')
  expect(stale.status).toBe(409)
  expect(reloaded.flash).toEqual(flash)
})

test('a failed form of an older build still shows its errors and input once the page is loaded', async () => {
  const app = await testApp()
  const browser = app.browser()
  const old = { headers: { 'X-Page-Version': 'old' }, stay: true }
  await browser.post('/login', { email: 'ann@x.test', password: 'wrong' }, old)
  const stale = await browser.get('/login', old)
  const reloaded = await browser.document('/login')
  expect(stale.status).toBe(409)
  expect(reloaded.page.props).toMatchObject({
    errors: { email: expect.any(String) as unknown },
    old: { email: 'ann@x.test' },
  })
  expect(JSON.stringify(reloaded.page)).not.toContain('wrong')
})

test('a prefetch does not consume the flash', async () => {
  const app = await testApp()
  const browser = await loggedOut(app)
  const prefetched = await browser.get('/login', { headers: { Purpose: 'prefetch' } })
  const prerendered = await browser.document('/login', undefined, {
    headers: { 'Sec-Purpose': 'prefetch;prerender' },
  })
  expect(prefetched.flash).toEqual({})
  expect(prerendered.flash).toEqual({})
  expect((await browser.get('/')).flash).toEqual(flash)
})

test('a prefetch or a HEAD of a logged-in user does not consume the flash', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const profile = { _method: 'PATCH', name: 'Ann Other', email: ann.email }
  await browser.post('/settings/profile', profile, { stay: true })
  await browser.get('/settings/profile', { headers: { Purpose: 'prefetch' } })
  await browser.send('HEAD', '/settings/profile')
  expect((await browser.get('/settings/profile')).flash).toHaveProperty('success')
})

test('a HEAD does not consume the flash', async () => {
  const app = await testApp()
  const browser = await loggedOut(app)
  const head = await browser.send('HEAD', '/')
  expect(head.status).toBe(200)
  expect(head.body).toBe('')
  expect((await browser.get('/')).flash).toEqual(flash)
})

test('the 404 of an image does not consume the flash, whether Sec-Fetch-Dest or Accept says so', async () => {
  const app = await testApp()
  const browser = await loggedOut(app)
  const asking: readonly Record<string, string>[] = [
    { 'Sec-Fetch-Dest': 'image' },
    { Accept: 'image/avif,image/webp,*/*' },
  ]
  for (const headers of asking) {
    const picture = await browser.document('/apple-touch-icon.png', undefined, { headers })
    expect(picture.status).toBe(404)
  }
  expect((await browser.get('/')).flash).toEqual(flash)
})

test('a validation-only request does not consume the flash', async () => {
  const app = await testApp()
  const browser = await loggedOut(app)
  await browser.validate('/register', {})
  expect((await browser.get('/')).flash).toEqual(flash)
})

test('a client of an older build gets a 409 with the URL to load', async () => {
  const app = await testApp()
  const visit = await app.browser().get('/login?a=1', { headers: { 'X-Page-Version': 'old' } })
  expect(visit.status).toBe(409)
  expect(visit.headers['x-page-location']).toBe('/login?a=1')
  expect(visit.body).toBe('')
})

test('a client of an older build gets a 409 for an unknown path, and its flash is preserved', async () => {
  const app = await testApp()
  const browser = await loggedOut(app)
  const visit = await browser.get('/nowhere', { headers: { 'X-Page-Version': 'old' } })
  expect(visit.status).toBe(409)
  expect((await browser.get('/')).flash).toEqual(flash)
})

test('the URL of a page has no question mark when its query is empty', async () => {
  const app = await testApp()
  const addresses = ['/login?', '/login?a', '/login']
  const pages = await Promise.all(addresses.map((address) => app.browser().document(address)))
  expect(pages.map(({ page }) => page.url)).toEqual(['/login', '/login?a', '/login'])
})

test('the URL in a page object is never on another host', async () => {
  const app = await testApp()
  for (const path of ['//evil.test/x?a', '///evil.test/x?a', '/\\evil.test/x?a']) {
    const visit = await app.browser().get(path)
    expect([visit.status, visit.page.url]).toEqual([404, '/evil.test/x?a'])
  }
})

test('the location of a 409 is always on this site', async () => {
  const app = await testApp()
  const visit = await app.browser().get('//evil.test/', { headers: { 'X-Page-Version': 'old' } })
  expect(visit.status).toBe(409)
  expect(visit.headers['x-page-location']).toBe('/evil.test/')
})

test('a form of an older build is accepted', async () => {
  const app = await testApp()
  const visit = await app.browser().post('/register', registration(ann), {
    headers: { 'X-Page-Version': 'old' },
    stay: true,
  })
  expect(visit.status).toBe(303)
})

test('a document request gets its page whatever build it names', async () => {
  const app = await testApp()
  const visit = await app
    .browser()
    .document('/', undefined, { headers: { 'X-Page-Version': 'old' } })
  expect(visit.status).toBe(200)
})

/** Returns a page with an optional prop, and counts how often the prop is computed. */
function withOptional(): { timesMade: number; routes: readonly Route[] } {
  const made = { timesMade: 0, routes: [] as Route[] }
  const handler: Handler = (c) => {
    const detail = new Optional(() => `asked ${++made.timesMade} times`)
    return page(c, 'Error', { status: 200, message: 'fine', detail })
  }
  made.routes.push({ method: 'GET', name: 'home', who: everyone, handler })
  return made
}

function partial(names: { only?: string; except?: string }, component = 'Error') {
  return {
    headers: {
      'X-Page-Partial-Component': component,
      'X-Page-Partial-Data': names.only ?? '',
      'X-Page-Partial-Except': names.except ?? '',
    },
  }
}

test('a partial reload returns the props that it names, and the shared ones', async () => {
  const app = await testApp(withOptional())
  const visit = await app.browser().get('/', partial({ only: 'message' }))
  expect(visit.page.props).toEqual({ message: 'fine', ...guest, errors: {} })
})

test('a partial reload leaves out the props that it excludes', async () => {
  const app = await testApp(withOptional())
  const visit = await app.browser().get('/', partial({ except: 'message' }))
  expect(visit.page.props).toEqual({ status: 200, ...guest, errors: {} })
})

test('a partial reload that names and excludes props returns only those named and not excluded', async () => {
  const counted = withOptional()
  const app = await testApp(counted)
  const names = { only: 'message,status,detail', except: 'message,detail' }
  const { props } = (await app.browser().get('/', partial(names))).page
  expect(props).toMatchObject({ status: 200, language: 'en' })
  expect(props).not.toHaveProperty('message')
  expect(props).not.toHaveProperty('detail')
  expect(counted.timesMade).toBe(0)
})

test('an optional prop is computed only when a partial reload names it', async () => {
  const app = await testApp(withOptional())
  const browser = app.browser()
  const fullPage = await browser.get('/')
  const except = await browser.get('/', partial({ except: 'status' }))
  const named = await browser.get('/', partial({ only: 'status, detail' }))
  expect(fullPage.page.props).not.toHaveProperty('detail')
  expect(except.page.props).not.toHaveProperty('detail')
  expect(named.page.props).toEqual({ status: 200, detail: 'asked 1 times', ...guest, errors: {} })
})

test('a partial reload of another component gets the whole page', async () => {
  const app = await testApp(withOptional())
  const visit = await app.browser().get('/', partial({ only: 'message' }, 'Home'))
  expect(visit.page.props).toEqual({ status: 200, message: 'fine', ...guest, errors: {} })
})

test('a user’s name cannot close the script element of the page object', async () => {
  const app = await testApp()
  const name = '</script><!-- <script> & "x"'
  const browser = await registeredBrowser(app, { ...ann, name })
  const visit = await browser.document('/verify-email')
  expect(visit.user?.name).toBe(name)
  expect(embedded(visit)).toMatch(/^[^<]+$/)
})

test('the page object of a document contains no Unicode line or paragraph separator', async () => {
  const message = 'one\u2028two\u2029three'
  const handler: Handler = (c) => page(c, 'Error', { status: 200, message })
  const app = await testApp({ routes: [{ method: 'GET', name: 'home', who: everyone, handler }] })
  const visit = await app.browser().document('/')
  expect(visit.page.props).toMatchObject({ message })
  expect(embedded(visit)).toMatch(/^[^\u2028\u2029]+$/)
})

function embedded({ body }: Visit): string {
  return body.slice(
    body.indexOf('data-page="app">') + 16,
    body.lastIndexOf('</script></body></html>'),
  )
}

test('the page object turns on the encryption of history', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  expect((await browser.get('/verify-email')).page.encryptHistory).toBe(true)
})

test('the clearing of history at logout survives the redirect, and happens once', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const first = await browser.post('/logout')
  const second = await browser.get('/')
  expect(first.page.clearHistory).toBe(true)
  expect(second.page.clearHistory).toBe(false)
})

test('a prefetch or a 409 does not consume the clearing of history', async () => {
  const app = await testApp()
  const browser = await loggedOut(app)
  await browser.get('/', { headers: { Purpose: 'prefetch' } })
  await browser.get('/', { headers: { 'X-Page-Version': 'old' } })
  expect((await browser.document('/')).page.clearHistory).toBe(true)
})
