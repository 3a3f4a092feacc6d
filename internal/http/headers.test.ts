import { appName } from '../../web/contract/name.ts'
import { expect, test } from 'vitest'
import { testAssets } from '../testing/assets.ts'
import { ann, registeredBrowser, registration } from '../testing/people.ts'
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

test('a document carries all security headers, with its nonce in the policy', async () => {
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

test('the policy allows exactly the Trusted Types policies that the frontend names', () => {
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

test('only documents of a frontend that creates style elements allow styles with their nonce', async () => {
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

test('the policy of a response that is not a document names no endpoint for reports', async () => {
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

test('every script of a document carries the nonce, and no element has a style or event attribute', async () => {
  const app = await testApp()
  const { body } = await app.browser().document('/login')
  const scripts = body.match(/<script[^>]*>/g) ?? []
  expect(scripts.filter((tag) => !/nonce="[^"]+"|type="application\/json"/.test(tag))).toEqual([])
  expect(body).not.toMatch(/ style=| on[a-z]+="/)
})

/** Returns an answer of each kind without scripts. */
async function everyKind(app: TestApp): Promise<Visit[]> {
  const browser = await registeredBrowser(app, ann)
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

test('every type of response carries the standard security headers', async () => {
  const app = await testApp()
  const answers = await everyKind(app)
  const statuses = answers.map(({ status }) => status)
  expect(statuses).toEqual([
    200, 404, 303, 303, 303, 422, 204, 409, 422, 200, 304, 200, 405, 413, 403, 503, 500,
  ])
  const expected = answers.map(() => ({ headers: { ...standing, ...closed } }))
  expect(answers).toMatchObject(expected)
})

test('an API response lacks Cross-Origin-Resource-Policy and carries the other security headers', async () => {
  const app = await testApp()
  const { headers } = await app.browser().send('GET', '/api/nowhere')
  const { 'cross-origin-resource-policy': own, ...others } = standing
  expect(own).toBe('same-origin')
  expect(headers).toMatchObject({ ...others, ...closed })
  expect(headers).not.toHaveProperty('cross-origin-resource-policy')
})

test('no response names the server software', async () => {
  const app = await testApp()
  const names = (await everyKind(app)).flatMap(({ headers }) => Object.keys(headers))
  expect(names).not.toContain('server')
  expect(names).not.toContain('x-powered-by')
})

test('no response other than an asset may be cached', async () => {
  const app = await testApp()
  const kept = (await everyKind(app)).filter(
    ({ headers }) => !headers['cache-control']?.includes('no-store'),
  )
  expect(kept.map(({ url }) => url)).toEqual(['/assets/style-test.css', '/assets/style-test.css'])
})

test('a response to a failed request carries the security headers', async () => {
  const app = await testApp({ routes: [broken] })
  const json = await app.browser().get('/')
  const html = await app.browser().document('/')
  expect(json).toMatchObject({ status: 500, headers: { ...standing, ...closed } })
  expect(html).toMatchObject({ status: 500, headers: standing })
})

function hsts(answers: readonly Visit[]): ReadonlySet<unknown> {
  return new Set(answers.map(({ headers }) => headers['strict-transport-security']))
}

test('every type of response carries HSTS over https, and none does over http', async () => {
  const secure = await everyKind(await testApp(https))
  const plain = await everyKind(await testApp())
  expect(hsts(secure)).toEqual(new Set(['max-age=31536000']))
  expect(hsts(plain)).toEqual(new Set([undefined]))
})

test('the session and browser cookies are HttpOnly and SameSite=Lax', async () => {
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

test('over https the session and browser cookies are Secure and have the __Host- prefix', async () => {
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

test('over https a session cookie without the __Host- prefix is ignored', async () => {
  const app = await testApp(https)
  const browser = app.browser()
  await browser.post('/register', registration(ann))
  browser.cookies.set(`${appName}_session`, browser.cookies.get(`__Host-${appName}_session`) ?? '')
  browser.cookies.delete(`__Host-${appName}_session`)
  expect((await browser.get('/')).user).toBeNull()
})

test('over https a session cookie with a no-break space before the __Host- prefix is ignored', async () => {
  const app = await testApp(https)
  const [browser, other] = [app.browser(), app.browser()]
  await browser.post('/register', registration(ann))
  const session = browser.cookies.get(`__Host-${appName}_session`) ?? ''
  other.cookies.set(`\u00a0__Host-${appName}_session`, session)
  expect((await other.get('/')).user).toBeNull()
  other.cookies.set(`__Host-${appName}_session`, session)
  expect((await other.get('/')).user?.name).toBe(ann.name)
})

test('the policy allows images from the address of the object-storage bucket', async () => {
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
