import { expect, test } from 'vitest'
import { verifyEmails } from '../../testing/database/rows.ts'
import { addToken, callApi, appWithToken } from '../../testing/tokens.ts'
import { readForm } from '../body/form-body.ts'
import { ann, registeredBrowser } from '../../testing/people.ts'
import { sendRaw } from '../../testing/network/raw-request.ts'
import { testApp } from '../../testing/test-app.ts'
import { CommitInDoubt, DatabaseBusy } from '../../db/db.ts'
import { apiErrors } from '../../../web/contract/words/api.ts'
import { json } from '../answer.ts'
import type { ApiRoute } from '../router.ts'

const message = { message: expect.stringMatching(/^[A-Z].+\.$/) }
const asJson = { 'content-type': 'application/json', 'cache-control': 'no-store, private' }

/** A route with a body, replacing the API's own. */
const taking: ApiRoute = {
  method: 'POST',
  name: 'api.user',
  ability: 'user:read',
  handler: async (c) => json(200, Object.fromEntries(await readForm(c))),
}

function failing(error: Error, method: 'GET' | 'POST' = 'GET'): ApiRoute {
  const handler = () => {
    throw error
  }
  return { method, name: 'api.user', ability: 'user:read', handler }
}

test('a path that the API does not have gets a 404 in JSON, with every method', async () => {
  const app = await testApp()
  const paths = ['/api', '/api/', '/api/nowhere', '/api/user/', '/api/user/1', '/api//user']
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PURGE', 'HEAD']
  const requests = paths.flatMap((path) => methods.map((method) => ({ path, method })))
  const visits = await Promise.all(
    requests.map(({ path, method }) => app.browser().send(method, path)),
  )
  expect(visits.filter(({ status }) => status !== 404)).toEqual([])
  expect(visits.map(({ headers }) => headers)).toMatchObject(requests.map(() => asJson))
  const bodies = visits.filter((_, at) => requests[at]?.method !== 'HEAD').map(({ json }) => json)
  expect(bodies).toEqual(bodies.map(() => message))
})

test('a path that only looks like an API path gets the page Error with a 404', async () => {
  const app = await testApp()
  const paths = ['/apis', '/API/user', '//api/user', '/api%2Fuser', '/x/api/user']
  const visits = await Promise.all(paths.map((path) => app.browser().document(path)))
  expect(visits.map(({ status, component }) => [status, component])).toEqual(
    paths.map(() => [404, 'Error']),
  )
})

test('another method at an API path gets a 405 that lists the allowed methods', async () => {
  const { app, token } = await appWithToken()
  const calls = ['POST', 'PUT', 'PATCH', 'DELETE', 'PURGE'].map((method) =>
    callApi(app, `Bearer ${token}`, { method }),
  )
  const visits = await Promise.all(calls)
  expect(visits.map(({ status, headers, json }) => [status, headers.allow, json])).toEqual(
    visits.map(() => [405, 'GET, HEAD, OPTIONS', message]),
  )
})

test('OPTIONS at an API path lists the allowed methods', async () => {
  const app = await testApp()
  const visit = await app.browser().send('OPTIONS', '/api/user')
  expect([visit.status, visit.headers.allow, visit.body]).toEqual([204, 'GET, HEAD, OPTIONS', ''])
})

test('an API request has no session: it reads no cookie, sets none and does not extend the login', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const cookies = [...browser.cookies]
  await app.pass({ minutes: 10 })
  const visits = await Promise.all(
    ['/api/user', '/api/nowhere', '/api/openapi.json'].map((path) => browser.send('GET', path)),
  )
  expect(visits.map(({ status }) => status)).toEqual([401, 404, 200])
  expect(visits.filter(({ headers }) => 'set-cookie' in headers)).toEqual([])
  expect([...browser.cookies]).toEqual(cookies)
  // Nor does it extend the login.
  await app.pass({ minutes: 111 })
  expect((await browser.get('/dashboard')).url).toBe('/login')
})

test('a session cookie sent along with a token does not change whom an API call acts for', async () => {
  const { app, token } = await appWithToken()
  const browser = await registeredBrowser(app, { ...ann, email: 'other@x.test' })
  const headers = { Authorization: `Bearer ${token}` }
  const visit = await browser.send('GET', '/api/user', { headers })
  expect(visit.json).toMatchObject({ email: 'Ann@example.com' })
  expect(visit.headers).not.toHaveProperty('set-cookie')
})

test('the headers of the page protocol have no effect on an API call', async () => {
  const { app, token } = await appWithToken()
  const protocols: readonly Record<string, string>[] = [
    { 'X-Page': 'true', 'X-Page-Version': 'another' },
    { 'X-Inertia': 'true', 'X-Inertia-Version': 'another' },
    { 'X-Page': 'true', 'X-Page-Validate-Only': '' },
  ]
  const calls = protocols.map((headers) => callApi(app, `Bearer ${token}`, { headers }))
  const visits = await Promise.all(calls)
  expect(visits.map(({ status }) => status)).toEqual([200, 200, 200])
  const expected = visits.map(() => ({ vary: 'Origin', ...asJson }))
  expect(visits.map(({ headers }) => headers)).toMatchObject(expected)
})

test('an API request from any origin passes the CSRF check', async () => {
  const { app, token } = await appWithToken({ routes: [taking] })
  const sent = ['http://evil.test', 'null', 'http://app.test'].map((Origin) =>
    app.browser().send('POST', '/api/user', {
      type: 'application/json',
      body: '{}',
      headers: { Authorization: `Bearer ${token}`, Origin, 'Sec-Fetch-Site': 'cross-site' },
    }),
  )
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('an API body over 64 KiB gets a 413 in JSON, also where no body is read', async () => {
  const { app, token } = await appWithToken()
  const sent = (method: string, length: number) =>
    app.browser().send(method, '/api/user', {
      type: 'application/json',
      body: '{}'.padEnd(length),
      headers: { Authorization: `Bearer ${token}` },
    })
  const fitting = [await sent('GET', 64 * 1024), await sent('POST', 64 * 1024)]
  const over = [await sent('GET', 64 * 1024 + 1), await sent('POST', 64 * 1024 + 1)]
  expect([...fitting, ...over].map(({ status }) => status)).toEqual([200, 405, 413, 413])
  const refused = { json: message, headers: { ...asJson, connection: 'close' } }
  expect(over).toMatchObject([refused, refused])
})

test('an API body that grows beyond 64 KiB while it is read gets a 413 in JSON', async () => {
  const { app, token } = await appWithToken({ routes: [taking] })
  const head = `POST /api/user HTTP/1.1\r\nHost: app.test\r\nAuthorization: Bearer ${token}\r\n`
  const chunk = `11000\r\n${'a'.repeat(0x11000)}\r\n0\r\n\r\n`
  const answer = await sendRaw(app.port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`)
  expect(answer.status).toBe(413)
  expect(JSON.parse(answer.body)).toEqual(message)
})

test('a malformed API body gets a 400 in JSON, one of another type a 415 that lists the accepted types', async () => {
  const { app, token } = await appWithToken({ routes: [taking] })
  const headers = { Authorization: `Bearer ${token}` }
  const malformed = await app
    .browser()
    .send('POST', '/api/user', { type: 'application/json', body: '{', headers })
  const other = await app
    .browser()
    .send('POST', '/api/user', { type: 'text/plain', body: 'a', headers })
  expect([malformed.status, other.status]).toEqual([400, 415])
  expect([malformed.json, other.json]).toEqual([message, message])
  expect(other.headers.accept).toContain('application/json')
})

test('a failing API call gets a 500 in JSON that does not reveal the reason, and the failure is logged', async () => {
  const error = new Error('the secret reason')
  const { app, token } = await appWithToken({ routes: [failing(error)], config: { debug: true } })
  const visit = await callApi(app, `Bearer ${token}`)
  expect(visit).toMatchObject({ status: 500, json: message, headers: { vary: 'Origin' } })
  expect(visit.body).not.toContain('secret')
  expect(app.logLines).toContainEqual(
    expect.objectContaining({
      level: 'error',
      facts: expect.objectContaining({ path: '/api/user', error }),
    }),
  )
})

test('an API call gets a 503 in JSON with Retry-After while the database is busy or unreachable', async () => {
  const { app, token } = await appWithToken({ routes: [failing(new DatabaseBusy())] })
  const visit = await callApi(app, `Bearer ${token}`)
  const json = { message: apiErrors.away }
  expect(visit).toMatchObject({ status: 503, json, headers: { 'retry-after': '5' } })
})

test('an API call whose commit may or may not have happened gets a 503 in JSON without Retry-After', async () => {
  const routes = [failing(new CommitInDoubt(new Error('lost')), 'POST')]
  const { app, token } = await appWithToken({ routes })
  const visit = await callApi(app, `Bearer ${token}`, { method: 'POST' })
  expect(visit).toMatchObject({ status: 503, json: { message: apiErrors.inDoubt } })
  expect(visit.headers).not.toHaveProperty('retry-after')
})

test('an API request that is refused before routing gets its error in JSON', async () => {
  const app = await testApp()
  const host = 'Host: app.test\r\n'
  const requests = [
    `TRACE /api/user HTTP/1.1\r\n${host}\r\n`,
    `GET /api/user HTTP/1.1\r\n\r\n`,
    `GET /api/user HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
    `GET /api/user HTTP/1.1\r\n${host}Expect: a pony\r\n\r\n`,
    `GET /api/user?${'a'.repeat(8192)} HTTP/1.1\r\n${host}\r\n`,
  ]
  const answers = await Promise.all(requests.map((request) => sendRaw(app.port, request)))
  expect(answers.map(({ status }) => status)).toEqual([405, 400, 400, 417, 414])
  expect(answers.map(({ body }) => JSON.parse(body))).toEqual(requests.map(() => message))
  const expected = requests.map(() => ({ 'content-type': 'application/json', vary: 'Origin' }))
  expect(answers.map(({ headers }) => headers)).toMatchObject(expected)
})

test('the log names the user and the token of an API call by ID, and never contains the token itself', async () => {
  const { app, user, token } = await appWithToken()
  await verifyEmails(app.db, app.now())
  await callApi(app, `Bearer ${token}`, { path: `/api/user?access_token=${token}` })
  await callApi(app, `Bearer ${token.toUpperCase()}`)
  await callApi(app, undefined, { path: `/api/${token}` })
  // A token missing one letter is as secret as the whole one.
  await callApi(app, undefined, { path: `/settings/tokens/${token.slice(0, -1)}/x` })
  await app.awaitWrites()
  const lines = app.logLines.filter(({ message }) => message === 'request')
  expect(lines.map(({ facts }) => facts)).toMatchObject([
    { status: 200, user: user.id, token: 1, path: '/api/user?access_token=[redacted]' },
    { status: 401, user: undefined, token: undefined },
    { status: 404, path: '/api/[token]' },
    { status: 404, path: '/settings/tokens/[token]/x' },
  ])
  expect(JSON.stringify(app.logLines)).not.toContain(token.slice(4, -1))
})

test('a refused API call is one log line with the reason, and the ID of a known token and its user', async () => {
  const { app, user, token } = await appWithToken()
  const lacking = await addToken(app, user, { abilities: [] })
  await callApi(app, undefined)
  await callApi(app, 'Bearer app_nothing')
  await callApi(app, `Bearer ${lacking}`)
  await Promise.all(Array.from({ length: 61 }, () => callApi(app, `Bearer ${token}`)))
  const logLines = app.logLines.filter(({ message }) => message === 'API call refused')
  expect(logLines.map(({ level, facts: { request: _id, ...facts } }) => [level, facts])).toEqual([
    ['info', { why: 'no token', address: '127.0.0.1' }],
    ['info', { why: 'unknown token', address: '127.0.0.1' }],
    ['info', { why: 'lacks user:read', token: 2, user: 1, address: '127.0.0.1' }],
    ['info', { why: 'too many requests', token: 1, user: 1, address: '127.0.0.1' }],
  ])
  expect(JSON.stringify(app.logLines)).not.toContain(token)
})
