import { expect, test } from 'vitest'
import { callApi, appWithToken } from '../../testing/tokens.ts'
import { testApp } from '../../testing/test-app.ts'

const site = 'https://www.example.com'
const other = 'http://localhost:5173'
const listed = { config: { corsOrigins: [site, other] } }
const preflight = {
  'Access-Control-Request-Method': 'GET',
  'Access-Control-Request-Headers': 'authorization',
}

/** Returns the CORS headers of an answer. */
function permissions(headers: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const own = Object.entries(headers).filter(([name]) => name.startsWith('access-control-'))
  return Object.fromEntries(own)
}

test('a page of a site in CORS_ORIGINS may read the API’s responses and their headers', async () => {
  const { app, token } = await appWithToken(listed)
  const visits = [
    await callApi(app, `Bearer ${token}`, { headers: { Origin: site } }),
    await callApi(app, `Bearer ${token}`, { headers: { Origin: other } }),
  ]
  expect(visits.map(({ status }) => status)).toEqual([200, 200])
  expect(visits.map(({ headers }) => permissions(headers))).toEqual(
    [site, other].map((origin) => ({
      'access-control-allow-origin': origin,
      'access-control-expose-headers':
        'X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After, X-Request-Id, Allow',
    })),
  )
})

test('a page of a site in CORS_ORIGINS may read the API’s refusals', async () => {
  const { app, token } = await appWithToken(listed)
  const headers = { Origin: site }
  const visits = [
    await callApi(app, undefined, { headers }),
    await callApi(app, `Bearer ${token}`, { headers, path: '/api/nowhere' }),
    await callApi(app, `Bearer ${token}`, { headers, method: 'POST' }),
  ]
  expect(visits.map(({ status }) => status)).toEqual([401, 404, 405])
  const expected = visits.map(() => ({ 'access-control-allow-origin': site, vary: 'Origin' }))
  expect(visits.map(({ headers }) => headers)).toMatchObject(expected)
})

test('an origin is allowed only if it equals one in CORS_ORIGINS exactly', async () => {
  const { app, token } = await appWithToken(listed)
  const origins = [
    'null',
    'https://evil.test',
    'https://WWW.example.com',
    'HTTPS://www.example.com',
    'https://www.example.com/',
    'https://www.example.com:443',
    'https://www.example.com:8443',
    'http://www.example.com',
    'https://example.com',
    'https://www.example.com.evil.test',
    'https://a.www.example.com',
    `${site}, ${site}`,
    'http://app.test',
    '',
  ]
  const visits = await Promise.all(
    origins.map((Origin) => callApi(app, `Bearer ${token}`, { headers: { Origin } })),
  )
  const preflights = await Promise.all(
    origins.map((Origin) =>
      callApi(app, undefined, { method: 'OPTIONS', headers: { Origin, ...preflight } }),
    ),
  )
  expect([...visits, ...preflights].map(({ headers }) => permissions(headers))).toEqual(
    [...origins, ...origins].map(() => ({})),
  )
  expect([...visits, ...preflights].filter(({ headers }) => headers.vary !== 'Origin')).toEqual([])
})

test('a preflight from a site in CORS_ORIGINS lists the allowed methods and headers, and needs no token', async () => {
  const app = await testApp(listed)
  const headers = { Origin: site, ...preflight }
  const visit = await callApi(app, undefined, { method: 'OPTIONS', headers })
  expect([visit.status, visit.body]).toEqual([204, ''])
  expect(visit.headers).toMatchObject({ vary: 'Origin', 'cache-control': 'no-store, private' })
  expect(permissions(visit.headers)).toEqual({
    'access-control-allow-origin': site,
    'access-control-allow-methods': 'GET, HEAD, OPTIONS',
    'access-control-allow-headers': 'Authorization, Accept, Content-Type',
    'access-control-max-age': '7200',
    'access-control-expose-headers':
      'X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After, X-Request-Id, Allow',
  })
})

test('a page of a site in CORS_ORIGINS may read the 404 of a mistyped API path', async () => {
  const app = await testApp(listed)
  const call = { path: '/api/usr', headers: { Origin: site, ...preflight } }
  const before = await callApi(app, undefined, { ...call, method: 'OPTIONS' })
  const visit = await callApi(app, undefined, call)
  expect([before.status, visit.status]).toEqual([204, 404])
  expect([before.headers, visit.headers]).toMatchObject([
    { 'access-control-allow-origin': site },
    { 'access-control-allow-origin': site },
  ])
})

test('without CORS_ORIGINS no site may read the API, and its responses still vary by Origin', async () => {
  const { app, token } = await appWithToken()
  const visits = [
    await callApi(app, `Bearer ${token}`, { headers: { Origin: site } }),
    await callApi(app, `Bearer ${token}`),
    await callApi(app, undefined),
    await callApi(app, undefined, { path: '/api/nowhere' }),
    await callApi(app, undefined, { method: 'OPTIONS', headers: { Origin: site, ...preflight } }),
  ]
  expect(visits.map(({ headers }) => [headers.vary, permissions(headers)])).toEqual(
    visits.map(() => ['Origin', {}]),
  )
})

test('CORS_ORIGINS opens only the API to other sites', async () => {
  const app = await testApp(listed)
  const sending = { headers: { Origin: site, ...preflight } }
  const visits = [
    await app.browser().document('/login', undefined, sending),
    await app.browser().send('GET', '/up', sending),
    await app.browser().send('OPTIONS', '/login', sending),
  ]
  expect(visits.map(({ headers }) => permissions(headers))).toEqual([{}, {}, {}])
})
