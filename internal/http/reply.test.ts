import { expect, test } from 'vitest'
import { withoutPassword } from '../testing/passkeys.ts'
import { testApp } from '../testing/test-app.ts'
import { everyone } from './guards.ts'
import { redirect } from './reply.ts'
import type { Handler } from './form/form.ts'

/** Returns the Location of a handler that redirects to `to`. */
async function locationOf(to: string): Promise<string | undefined> {
  const handler: Handler = (c) => redirect(c, to)
  const app = await testApp({ routes: [{ method: 'GET', name: 'login', who: everyone, handler }] })
  const visit = await app.browser().get('/login', { stay: true })
  expect(visit.status).toBe(303)
  return visit.location
}

/** Returns where a failed form with this Referer redirects to. */
async function backFrom(referer: string): Promise<string | undefined> {
  const app = await testApp()
  const visit = await app
    .browser()
    .post('/login', {}, { headers: { Referer: referer }, stay: true })
  expect(visit.status).toBe(303)
  return visit.location
}

test('a redirect goes to a path of this site', async () => {
  expect(await locationOf('/dashboard?a=b#c')).toBe('/dashboard?a=b#c')
})

test('a redirect that would lead off this site goes to the landing page', async () => {
  expect(await locationOf('//evil.test')).toBe('/')
  expect(await locationOf('https://evil.test/')).toBe('/')
  expect(await locationOf('/\\evil.test')).toBe('/')
  expect(await locationOf('/.//evil.test')).toBe('/')
  expect(await locationOf('javascript:alert(1)')).toBe('/')
  expect(await locationOf('/a\r\nSet-Cookie: a=b')).toBe('/')
  expect(await locationOf('')).toBe('/')
})

test('a failed form goes back to its Referer with its query', async () => {
  expect(await backFrom('http://app.test/login?a=b')).toBe('/login?a=b')
})

test('a failed form whose Referer is of another site, or leads off this one, goes back to its own page', async () => {
  expect(await backFrom('http://evil.test/login')).toBe('/login')
  expect(await backFrom('https://app.test/login')).toBe('/login')
  expect(await backFrom('http://app.test:8080/login')).toBe('/login')
  expect(await backFrom('http://app.test//evil.test')).toBe('/login')
  expect(await backFrom('http://app.test/.//evil.test')).toBe('/login')
  expect(await backFrom('http://app.test/\\evil.test')).toBe('/login')
  expect(await backFrom('/login')).toBe('/login')
  expect(await backFrom('')).toBe('/login')
})

test('refusals and redirects vary by the headers of the page protocol', async () => {
  const app = await testApp()
  const { browser } = await withoutPassword(app)
  const answers = [
    await browser.postJson('/settings/passkeys/1', { _method: 'DELETE' }),
    await app.browser().postJson('/login', {}),
    await app.browser().post('/login', {}, { stay: true }),
    await browser.post('/logout', {}, { stay: true }),
    await app.browser().postJson('/language', { _method: 'PUT', language: 'x'.repeat(70_000) }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 303, 303, 413])
  const lacking = answers.filter(({ headers }) => !headers.vary?.startsWith('X-Page, X-Inertia'))
  expect(lacking.map(({ status }) => status)).toEqual([])
})
