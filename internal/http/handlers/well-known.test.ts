import { expect, test } from 'vitest'
import { ann } from '../../testing/people.ts'
import { verifiedBrowser } from '../../testing/two-factor.ts'
import { testApp } from '../../testing/test-app.ts'

const change = '/.well-known/change-password'
const endpoints = '/.well-known/passkey-endpoints'

test('the change-password address redirects guests and users to the security page', async () => {
  const app = await testApp()
  const sent = { status: 303, headers: { location: '/settings/security' } }
  expect(await app.browser().send('GET', change)).toMatchObject(sent)
  expect(await app.browser().send('HEAD', change)).toMatchObject(sent)
  expect(await (await verifiedBrowser(app)).send('GET', change)).toMatchObject(sent)
})

test('a guest who opens the change-password address logs in and gets to the security page', async () => {
  const app = await testApp()
  await verifiedBrowser(app)
  const browser = app.browser()
  const loginPage = await browser.document(change)
  const { email, password } = ann
  const securityPage = await browser.document('/login', { email, password })
  expect([loginPage.url, securityPage.url]).toEqual(['/login', '/settings/security'])
})

test('the passkey endpoints are the security page, and may be cached for an hour', async () => {
  const app = await testApp({ config: { origin: 'https://app.test', https: true } })
  const browser = await verifiedBrowser(app)
  // Older than a minute, so that a visit would renew the cookie.
  await app.pass({ minutes: 2 })
  const visit = await browser.send('GET', endpoints)
  const page = 'https://app.test/settings/security'
  expect(visit.json).toEqual({ enroll: page, manage: page })
  expect(visit).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json', 'cache-control': 'public, max-age=3600' },
  })
  expect(visit.headers).not.toHaveProperty('set-cookie')
  expect(await browser.send('HEAD', endpoints)).toMatchObject({ status: 200, body: '' })
})

test('the passkey endpoints get a 404 on a site at an IP address', async () => {
  const app = await testApp({ config: { origin: 'http://192.0.2.1' } })
  expect((await app.browser().send('GET', endpoints)).status).toBe(404)
})

test('an unknown well-known address gets a 404, and the change-password address allows only GET and HEAD', async () => {
  const app = await testApp()
  const none = 'resource-that-should-not-exist-whose-status-code-should-not-be-200'
  const browser = app.browser()
  expect((await browser.document(`/.well-known/${none}`)).status).toBe(404)
  expect((await browser.document('/.well-known/')).status).toBe(404)
  expect((await browser.send('POST', change)).headers.allow).toBe('GET, HEAD')
})
