import { appName } from '../../web/contract/name.ts'
import { expect, test } from 'vitest'
import { testAssets } from '../testing/assets.ts'
import { ann, registered, registration } from '../testing/people.ts'
import { testApp, type TestApp } from '../testing/test-app.ts'
import { testedFrontend } from '../testing/tested-frontend.ts'
import { everyone } from './guards.ts'
import { trustedTypes } from './headers.ts'
import type { Visit } from '../testing/browser.ts'
import type { Route } from './router.ts'

const https = { config: { origin: 'https://app.test', https: true } }
const standing = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': expect.stringMatching(
    /publickey-credentials-create=\(self\), publickey-credentials-get=\(self\)/,
  ),
  'reporting-endpoints': 'csp="/csp-reports"',
  'x-request-id': expect.stringMatching(/^[a-z2-7]{26}$/),
}
/** The Trusted Types policies of each frontend's scripts: only those it needs. */
const made: Readonly<Record<string, string>> = {
  preact: "'none'",
  vue: 'vue',
  svelte: 'svelte-trusted-html',
}
const policy = `style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'; require-trusted-types-for 'script'; trusted-types ${made[testedFrontend]}`
const closed = { 'content-security-policy': `default-src 'none'; ${policy}` }

const broken: Route = {
  method: 'GET',
  name: 'home',
  who: everyone,
  handler: () => {
    throw new Error('broken')
  },
}

test('a document carries every header, with the policy of its nonce', async () => {
  const app = await testApp()
  const { headers, body } = await app.browser().document('/login')
  const nonce = /<script nonce="([^"]+)"/.exec(body)?.[1]
  expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/)
  expect(headers).toMatchObject({
    ...standing,
    'content-security-policy': `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; ${policy}; report-uri /csp-reports; report-to csp`,
    'cache-control': 'no-store, private',
  })
})

test('the policy lets the frontend make the Trusted Types policies that it names, and no other', () => {
  const required = "; require-trusted-types-for 'script'"
  const policies = [[], ['one'], ['one-more', 'other'], undefined].map((names) =>
    trustedTypes({ trustedTypes: names }),
  )
  expect(policies).toEqual([
    `${required}; trusted-types 'none'`,
    `${required}; trusted-types one`,
    `${required}; trusted-types one-more other`,
    '',
  ])
})

test('a frontend that makes style elements has those with the nonce of its documents let in, and no other', async () => {
  const frontend = { render: async () => '', trustedTypes: ['default'], makesStyles: true }
  const app = await testApp({ pages: { assets: testAssets, frontend } })
  const { headers, body } = await app.browser().document('/login')
  const file = await app.browser().send('GET', '/assets/style-test.css')
  const nonce = /<script nonce="([^"]+)"/.exec(body)?.[1]
  expect(headers['content-security-policy']).toContain(`; style-src 'self' 'nonce-${nonce}'; img-`)
  expect(headers['content-security-policy']).toContain('; trusted-types default; ')
  expect(file.headers['content-security-policy']).toContain("; style-src 'self'; img-")
})

test('no two documents have the same nonce', async () => {
  const app = await testApp()
  const first = await app.browser().document('/login')
  const second = await app.browser().document('/login')
  expect(first.headers['content-security-policy']).not.toBe(
    second.headers['content-security-policy'],
  )
})

test('what a browser’s own viewer does to an answer that is no document is not reported', async () => {
  const app = await testApp()
  const viewed = [
    '/api/openapi.json',
    '/up',
    '/.well-known/passkey-endpoints',
    '/assets/style-test.css',
  ]
  const visits = await Promise.all(viewed.map((url) => app.browser().send('GET', url)))
  const policies = visits.map(({ headers }) => String(headers['content-security-policy']))
  expect(visits.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(policies.filter((policy) => /report-(uri|to)/.test(policy))).toEqual([])
})

test('every script of a document carries the nonce, and nothing has a style of its own', async () => {
  const app = await testApp()
  const { body } = await app.browser().document('/login')
  const scripts = body.match(/<script[^>]*>/g) ?? []
  expect(scripts.filter((tag) => !/nonce="[^"]+"|type="application\/json"/.test(tag))).toEqual([])
  expect(body).not.toMatch(/ style=| on[a-z]+="/)
})

/** Returns an answer of each kind without scripts. */
async function everyKind(app: TestApp): Promise<Visit[]> {
  const browser = await registered(app, ann)
  const guest = app.browser()
  const visits = [
    await browser.get('/verify-email'),
    await browser.get('/nowhere'),
    await browser.get('/dashboard', { stay: true }),
    await guest.get('/dashboard', { stay: true }),
    await guest.post('/register', {}, { stay: true }),
    await guest.validate('/register', {}),
    await guest.validate('/register', {}, ['remember']),
    await guest.get('/', { headers: { 'X-Page-Version': 'old' } }),
    await guest.postJson('/register', {}),
    await guest.send('GET', '/assets/style-test.css'),
    await guest.send('GET', '/assets/style-test.css', { headers: { 'If-None-Match': '*' } }),
    await guest.send('GET', '/up'),
    await guest.send('PUT', '/up', { headers: { 'X-Page': 'true' } }),
    await guest.send('POST', '/login', { body: 'x'.repeat(65_537), headers: { 'X-Page': 'true' } }),
    await guest.post('/login', {}, { headers: { Origin: 'null' } }),
  ]
  await app.db.close()
  return [...visits, await guest.send('GET', '/up'), await browser.get('/verify-email')]
}

test('every kind of answer carries the standing headers', async () => {
  const app = await testApp()
  const answers = await everyKind(app)
  const statuses = answers.map(({ status }) => status)
  expect(statuses).toEqual([
    200, 404, 303, 303, 303, 422, 204, 409, 422, 200, 304, 200, 405, 413, 403, 503, 500,
  ])
  const expected = answers.map(() => ({ headers: { ...standing, ...closed } }))
  expect(answers).toMatchObject(expected)
})

test('an answer of the API may be read by other sites, and has the other headers', async () => {
  const app = await testApp()
  const { headers } = await app.browser().send('GET', '/api/nowhere')
  const { 'cross-origin-resource-policy': own, ...others } = standing
  expect(own).toBe('same-origin')
  expect(headers).toMatchObject({ ...others, ...closed })
  expect(headers).not.toHaveProperty('cross-origin-resource-policy')
})

test('no answer names the server', async () => {
  const app = await testApp()
  const names = (await everyKind(app)).flatMap(({ headers }) => Object.keys(headers))
  expect(names).not.toContain('server')
  expect(names).not.toContain('x-powered-by')
})

test('no answer but a file of the pages may be kept', async () => {
  const app = await testApp()
  const kept = (await everyKind(app)).filter(
    ({ headers }) => !headers['cache-control']?.includes('no-store'),
  )
  expect(kept.map(({ url }) => url)).toEqual(['/assets/style-test.css', '/assets/style-test.css'])
})

test('an answer that failed carries the standing headers', async () => {
  const app = await testApp({ routes: [broken] })
  const json = await app.browser().get('/')
  const html = await app.browser().document('/')
  expect(json).toMatchObject({ status: 500, headers: { ...standing, ...closed } })
  expect(html).toMatchObject({ status: 500, headers: standing })
})

function hsts(answers: readonly Visit[]): ReadonlySet<unknown> {
  return new Set(answers.map(({ headers }) => headers['strict-transport-security']))
}

test('every kind of answer on https carries HSTS, and none on http', async () => {
  const secure = await everyKind(await testApp(https))
  const plain = await everyKind(await testApp())
  expect(hsts(secure)).toEqual(new Set(['max-age=31536000']))
  expect(hsts(plain)).toEqual(new Set([undefined]))
})

test('a cookie is for this site alone and not for scripts', async () => {
  const app = await testApp()
  const visit = await app.browser().post('/register', registration(ann), { stay: true })
  expect(visit.headers['set-cookie']).toEqual([
    expect.stringMatching(
      new RegExp(`^${appName}_session=[\\w-]+; Max-Age=7200; Path=/; HttpOnly; SameSite=Lax$`),
    ),
    expect.stringMatching(
      new RegExp(`^${appName}_browser=\\w{26}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax$`),
    ),
  ])
})

test('a cookie on https is for https alone and bound to the host', async () => {
  const app = await testApp(https)
  const browser = app.browser()
  const visit = await browser.post('/register', registration(ann), { stay: true })
  expect(visit.headers['set-cookie']).toEqual([
    expect.stringMatching(
      new RegExp(
        `^__Host-${appName}_session=[\\w-]+; Max-Age=7200; Path=/; HttpOnly; SameSite=Lax; Secure$`,
      ),
    ),
    expect.stringMatching(
      new RegExp(
        `^__Host-${appName}_browser=\\w{26}; Max-Age=31536000; Path=/; HttpOnly; SameSite=Lax; Secure$`,
      ),
    ),
  ])
  expect((await browser.get('/')).user?.name).toBe(ann.name)
})

test('a cookie that any part of the domain could set counts for nothing on https', async () => {
  const app = await testApp(https)
  const browser = app.browser()
  await browser.post('/register', registration(ann))
  browser.cookies.set(`${appName}_session`, browser.cookies.get(`__Host-${appName}_session`) ?? '')
  browser.cookies.delete(`__Host-${appName}_session`)
  expect((await browser.get('/')).user).toBeNull()
})

test('nor does one whose name begins with a byte that is no part of ours to a browser, though it looks like a space', async () => {
  const app = await testApp(https)
  const [browser, other] = [app.browser(), app.browser()]
  await browser.post('/register', registration(ann))
  const session = browser.cookies.get(`__Host-${appName}_session`) ?? ''
  other.cookies.set(`\u00a0__Host-${appName}_session`, session)
  expect((await other.get('/')).user).toBeNull()
  other.cookies.set(`__Host-${appName}_session`, session)
  expect((await other.get('/')).user?.name).toBe(ann.name)
})

test('pictures may come from the bucket', async () => {
  const files = {
    disk: 's3',
    accessKeyId: 'a',
    secretAccessKey: 'b',
    region: 'c',
    bucket: 'd',
    endpoint: 'https://s3.test',
    pathStyle: true,
    url: 'https://photos.test/d/',
  } as const
  const app = await testApp({ config: { files } })
  const visit = await app.browser().document('/')
  expect(visit.headers['content-security-policy']).toContain("img-src 'self' https://photos.test;")
})
