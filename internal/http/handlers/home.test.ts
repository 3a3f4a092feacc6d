import { brandName } from '../../../web/brand/brand.ts'
import { expect, test } from 'vitest'
import { titles } from '#words/titles/none'
import { descriptions } from '#words/descriptions'
import { escapeHtml } from '../../base/text/escape.ts'
import { ann, registeredBrowser } from '../../testing/people.ts'
import { verifyEmails } from '../../testing/database/rows.ts'
import { testApp } from '../../testing/test-app.ts'
import type { Visit } from '../../testing/browser.ts'

const inGerman = { headers: { 'Accept-Language': 'de' } }

/** Returns the preview image of a link to the page. */
function pictureOf({ body }: Visit): string | undefined {
  return /<meta property="og:image" content="([^"]*)">/.exec(body)?.[1]
}

test('a guest sees the home page', async () => {
  const app = await testApp()
  const visit = await app.browser().get('/')
  expect([visit.status, visit.component, visit.user]).toEqual([200, 'Home', null])
})

test('a logged-in user sees the home page, with the user in its shared props', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const visit = await browser.get('/')
  expect([visit.status, visit.component]).toEqual([200, 'Home'])
  expect(visit.user).toEqual({
    id: 1,
    name: 'Ann',
    email: 'ann@x.test',
    emailVerifiedAt: null,
    twoFactor: false,
    password: true,
    photo: null,
  })
})

test('the landing page has a title and preview image from the server, and each guest page its own description', async () => {
  const app = await testApp()
  const home = await app.browser().document('/')
  const paths = [
    '/',
    '/login',
    '/register',
    '/forgot-password',
    '/reset-password/a.b?email=ann@x.test',
  ]
  const visits = await Promise.all(paths.map(async (path) => app.browser().document(path)))
  const texts = visits.map(
    ({ body }) => /<meta name="description" content="([^"]*)">/.exec(body)?.[1],
  )
  const ofUsers = await (await registeredBrowser(app, ann)).document('/confirm-password')
  expect(home.body).toContain(`<title>${escapeHtml(brandName)} · ${titles.Home}</title>`)
  expect(texts[0]).toBe(escapeHtml(descriptions.Home ?? ''))
  expect(new Set(texts).size).toBe(paths.length)
  expect(texts.filter((text = '') => text.length < 20 || text.length > 160)).toEqual([])
  expect(ofUsers.body).not.toContain('name="description"')
  const german = await app.browser().document('/', undefined, inGerman)
  expect([home, german].map(pictureOf)).toEqual([
    'http://app.test/assets/social-en-test.png',
    'http://app.test/assets/social-de-test.png',
  ])
})

test('a verified user sees the dashboard, and an unverified one is sent to the verify page', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const before = await browser.get('/dashboard', { stay: true })
  await verifyEmails(app.db, app.now())
  const after = await browser.get('/dashboard')
  expect([before.status, before.location]).toEqual([303, '/verify-email'])
  expect([after.component, after.user?.emailVerifiedAt]).toEqual([
    'Dashboard',
    app.now().toISOString(),
  ])
})

test('a guest who opens the dashboard is sent to log in', async () => {
  const app = await testApp()
  const visit = await app.browser().get('/dashboard', { stay: true })
  expect([visit.status, visit.location]).toEqual([303, '/login'])
})

test('a JSON request for the dashboard gets a 401 for a guest and a 403 for an unverified user', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const sending = { type: 'application/json' }
  const guest = await app
    .browser()
    .send('GET', '/dashboard', { ...sending, headers: { 'Content-Type': 'application/json' } })
  const unverified = await browser.send('GET', '/dashboard', {
    headers: { 'Content-Type': 'application/json' },
  })
  expect([guest.status, guest.json]).toEqual([
    401,
    { message: 'Log in first.', redirect: '/login' },
  ])
  expect([unverified.status, unverified.json]).toEqual([
    403,
    { message: 'Verify your email first.', redirect: '/verify-email' },
  ])
})
