import { expect, test } from 'vitest'
import { ann, registeredBrowser } from '../testing/people.ts'
import { allLogins } from '../testing/database/rows.ts'
import { testApp } from '../testing/test-app.ts'
import { sendRaw } from '../testing/network/raw-request.ts'

type Origin = Readonly<Record<string, string>>

/** Returns the status of a form sent with only these headers about its origin. */
async function sentFrom(
  origin: Origin,
  { method = 'POST', path = '/login' } = {},
): Promise<number> {
  const app = await testApp()
  const lines = Object.entries(origin).map(([name, value]) => `${name}: ${value}\r\n`)
  const answer = await sendRaw(
    app.port,
    `${method} ${path} HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n${lines.join('')}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 2\r\n\r\na=`,
  )
  return answer.status
}

const ours = 'http://app.test'

test('a form from this site passes', async () => {
  expect(await sentFrom({ Origin: ours, 'Sec-Fetch-Site': 'same-origin' })).toBe(303)
})

test('a form without Origin and Sec-Fetch-Site passes', async () => {
  expect(await sentFrom({})).toBe(303)
})

test('a form with only this site’s Origin, from an older browser, passes', async () => {
  expect(await sentFrom({ Origin: ours })).toBe(303)
})

test('a form with Sec-Fetch-Site: none passes', async () => {
  expect(await sentFrom({ 'Sec-Fetch-Site': 'none' })).toBe(303)
})

test('a form from another Origin is refused', async () => {
  expect(await sentFrom({ Origin: 'https://evil.test' })).toBe(403)
})

test('an Origin that only looks like this site is refused', async () => {
  expect(await sentFrom({ Origin: 'http://app.test.evil.test' })).toBe(403)
  expect(await sentFrom({ Origin: 'http://app.test:8080' })).toBe(403)
  expect(await sentFrom({ Origin: 'https://app.test' })).toBe(403)
  expect(await sentFrom({ Origin: 'http://app.test/' })).toBe(403)
  expect(await sentFrom({ Origin: '' })).toBe(403)
})

test('an Origin of null is refused', async () => {
  expect(await sentFrom({ Origin: 'null' })).toBe(403)
})

test('a form with two Origin headers is refused', async () => {
  expect(await sentFrom({ Origin: ours, origin: ours })).toBe(403)
})

test('another Origin is refused whatever Sec-Fetch-Site says', async () => {
  expect(await sentFrom({ Origin: 'https://evil.test', 'Sec-Fetch-Site': 'same-origin' })).toBe(403)
})

test('a form with Sec-Fetch-Site: cross-site is refused whatever its Origin says', async () => {
  expect(await sentFrom({ Origin: ours, 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
  expect(await sentFrom({ 'Sec-Fetch-Site': 'cross-site' })).toBe(403)
})

test('a form with Sec-Fetch-Site: same-site is refused', async () => {
  expect(await sentFrom({ 'Sec-Fetch-Site': 'same-site' })).toBe(403)
})

test('PUT, PATCH and DELETE from another Origin are refused', async () => {
  const evil = { Origin: 'https://evil.test' }
  expect(await sentFrom(evil, { method: 'PUT' })).toBe(403)
  expect(await sentFrom(evil, { method: 'PATCH' })).toBe(403)
  expect(await sentFrom(evil, { method: 'DELETE' })).toBe(403)
})

test('a safe method passes from any origin', async () => {
  const evil = { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' }
  expect(await sentFrom(evil, { method: 'GET', path: '/up' })).toBe(200)
  expect(await sentFrom(evil, { method: 'HEAD', path: '/up' })).toBe(200)
  expect(await sentFrom(evil, { method: 'OPTIONS', path: '/up' })).toBe(405)
})

test('paths under /api/ are exempt from the CSRF check, and others are not', async () => {
  const evil = { Origin: 'https://evil.test' }
  expect(await sentFrom(evil, { path: '/api/nowhere' })).toBe(404)
  expect(await sentFrom(evil, { path: '/apis' })).toBe(403)
  expect(await sentFrom(evil, { path: '//api/nowhere' })).toBe(403)
  expect(await sentFrom(evil, { path: '/logout?/api/' })).toBe(403)
})

test('CSP reports are accepted from any origin, and only by POST at exactly /csp-reports', async () => {
  const webkit = { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }
  const evil = { Origin: 'https://evil.test', 'Sec-Fetch-Site': 'cross-site' }
  const path = '/csp-reports'
  // Passed the check; then refused, as a form is no report.
  expect(await sentFrom(webkit, { path })).toBe(415)
  expect(await sentFrom(evil, { path })).toBe(415)
  expect(await sentFrom(evil, { method: 'PUT', path })).toBe(403)
  expect(await sentFrom(evil, { path: '/csp-reports/' })).toBe(403)
  expect(await sentFrom(evil, { path: '/csp-reports-too' })).toBe(403)
})

test('a path that leads out of /api/ with dots gets a 404', async () => {
  const evil = { Origin: 'https://evil.test' }
  expect(await sentFrom(evil, { path: '/api/../login' })).toBe(404)
  expect(await sentFrom(evil, { path: '/api/%2e%2e/login' })).toBe(404)
})

test('a form that the CSRF check refuses is not processed, and gets the page Error', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const visit = await browser.document('/logout', {}, { headers: { Origin: 'https://evil.test' } })
  expect(visit.status).toBe(403)
  expect(visit.component).toBe('Error')
  expect(await allLogins(app.db)).toHaveLength(1)
})

test('a form that the CSRF check refuses is one log line with the reason and the logged-in user', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await browser.send('POST', '/logout', { headers: { Origin: 'https://evil.test' } })
  await app.browser().send('POST', '/login', { headers: { 'Sec-Fetch-Site': 'cross-site' } })
  await app.browser().send('POST', '/login', { headers: { Origin: 'x'.repeat(5000) } })
  const logLines = app.logLines.filter(({ message }) => message === 'refused by origin')
  const address = '127.0.0.1'
  expect(logLines.map(({ level, facts: { request: _id, ...facts } }) => [level, facts])).toEqual([
    ['warn', { why: 'Origin: https://evil.test', user: 1, address }],
    ['warn', { why: 'Sec-Fetch-Site: cross-site', address }],
    ['warn', { why: `Origin: ${'x'.repeat(100)}`, address }],
  ])
})
