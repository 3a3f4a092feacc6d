import { expect, test } from 'vitest'
import { ann, registeredBrowser } from '../../../testing/people.ts'
import { verifyEmails } from '../../../testing/database/rows.ts'
import { testApp } from '../../../testing/test-app.ts'
import type { Browser } from '../../../testing/browser.ts'

const [login, verify, confirm] = ['/login', '/verify-email', '/confirm-password']
const profile = '/settings/profile'

/** Where each route redirects those it turns away; undefined: it lets them through. */
// oxfmt-ignore
const guarded: readonly (readonly [route: string, guest: string, unverified: string | undefined, lapsed: string | undefined])[] = [
  ['GET    /settings',               profile, profile,   profile],
  ['GET    /settings/profile',       login,   undefined, confirm],
  ['PATCH  /settings/profile',       login,   profile,   confirm],
  ['DELETE /settings/profile',       login,   profile,   confirm],
  ['POST   /settings/profile/photo', login,   profile,   confirm],
  ['DELETE /settings/profile/photo', login,   profile,   confirm],
  ['GET    /settings/security',      login,   verify,    confirm],
  ['PUT    /settings/password',      login,   verify,    confirm],
  ['DELETE /settings/password',      login,   verify,    confirm],
  ['DELETE /settings/logins',        login,   verify,    confirm],
  [`DELETE /settings/logins/${'0'.repeat(64)}`, login, verify, confirm],
  ['GET    /settings/appearance',    login,   undefined, undefined],
  ['GET    /settings/tokens',        login,   undefined, confirm],
  ['GET    /notifications',          login,   undefined, undefined],
  ['GET    /dashboard',              login,   verify,    undefined],
  ['GET    /confirm-password',       login,   undefined, undefined],
  ['POST   /verify-email',           login,   profile,   '/dashboard'],
]

/** Returns where each route redirects the browser, sent as a plain form without fields. */
async function sentTo(browser: Browser): Promise<(string | undefined)[]> {
  const locations: (string | undefined)[] = []
  for (const [route] of guarded) {
    const [method = '', path = ''] = route.split(/ +/)
    const sending = { headers: { Referer: 'http://app.test/settings/profile' } }
    const { location } = await browser.send(method, path, sending)
    locations.push(location)
  }
  return locations
}

test('a guest is sent to log in from each route for users, and from /settings to the profile', async () => {
  const app = await testApp()
  expect(await sentTo(app.browser())).toEqual(guarded.map(([, guest]) => guest))
})

test('an unverified user is sent to the verify page from the routes for verified users', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  expect(await sentTo(browser)).toEqual(guarded.map(([, , unverified]) => unverified))
})

test('a user whose confirmation lapsed is sent to confirm from each route that requires it', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await verifyEmails(app.db, app.now())
  await app.pass({ hours: 1, minutes: 30 })
  await browser.get('/')
  await app.pass({ hours: 1, minutes: 30 })
  expect(await sentTo(browser)).toEqual(guarded.map(([, , , lapsed]) => lapsed))
})

test('a user whose confirmation lapsed returns to the settings page after confirming, and its form is not sent', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await verifyEmails(app.db, app.now())
  await app.pass({ hours: 1, minutes: 30 })
  await browser.get('/settings/appearance')
  await app.pass({ hours: 1, minutes: 30 })
  const sent = await browser.post('/settings/profile', {
    _method: 'PATCH',
    name: 'Ann B.',
    email: ann.email,
  })
  const back = await browser.post('/confirm-password', { password: ann.password })
  expect([sent.url, back.url, back.user?.name]).toEqual([
    '/confirm-password',
    '/settings/appearance',
    ann.name,
  ])
})

test('/settings redirects to the profile', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const visit = await browser.get('/settings', { stay: true })
  expect([visit.status, visit.location]).toEqual([303, '/settings/profile'])
})

test('a user without a verified email can open the appearance page', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const visit = await browser.get('/settings/appearance')
  expect([visit.status, visit.component]).toEqual([200, 'Settings/Appearance'])
})
