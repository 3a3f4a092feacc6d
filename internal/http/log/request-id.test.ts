import { refuseLoginChanges, refuseSessions } from '#testing/rows'
import { expect, test } from 'vitest'
import { errorReference } from '#words/error'
import { ann, logIn, registeredBrowser } from '../../testing/people.ts'
import { hideLogins } from '../../testing/database/hidden-tables.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { everyone } from '../guards.ts'
import type { Answer } from '../answer.ts'
import type { Visit } from '../../testing/browser.ts'

const form = /^[a-z2-7]{26}$/

/** Returns an app with this handler for its landing page. */
function answering(handler: () => Answer) {
  return testApp({ routes: [{ method: 'GET', name: 'home', who: everyone, handler }] })
}

function fails(): Answer {
  throw new Error('broken')
}

const idOf = ({ headers }: Visit) => String(headers['x-request-id'])

/** Returns the messages logged for one request. */
function linesOf(app: TestApp, id: unknown): string[] {
  return app.logLines.filter(({ facts }) => facts['request'] === id).map(({ message }) => message)
}

test('each request has an ID of its own, in its response and its log line', async () => {
  const app = await testApp()
  const browser = app.browser()
  const ids = [
    idOf(await browser.get('/login')),
    idOf(await browser.get('/nowhere')),
    idOf(await browser.document('/dashboard', undefined, { stay: true })),
    idOf(await browser.send('GET', '/assets/style-test.css')),
    idOf(await browser.send('HEAD', '/up')),
  ]
  expect(new Set(ids).size).toBe(5)
  expect(ids.filter((id) => form.test(id))).toEqual(ids)
  expect(ids.map((id) => linesOf(app, id))).toEqual(ids.map(() => ['request']))
})

test('a request ID sent by a client or a proxy is ignored', async () => {
  const app = await testApp({ config: { trustedProxies: ['loopback'] } })
  const headers = { 'X-Request-Id': 'a'.repeat(26), 'X-Forwarded-For': '192.0.2.1' }
  const visit = await app.browser().send('GET', '/up', { headers })
  expect(idOf(visit)).not.toBe('a'.repeat(26))
  expect(linesOf(app, idOf(visit))).toEqual(['request'])
})

test('a failure is logged with the ID of its request, and the error page shows it', async () => {
  const app = await answering(fails)
  const visit = await app.browser().document('/')
  const id = idOf(visit)
  expect(linesOf(app, id)).toEqual(['the request failed', 'request'])
  expect(visit.page.props.reference).toBe(id)
  expect(visit.body).toContain(`${errorReference} <code>${id}</code>`)
})

test('the page of a refused form shows the request ID, and the page of a 404 does not', async () => {
  const app = await testApp()
  const evil = { headers: { Origin: 'https://evil.test' } }
  const turned = await app.browser().post('/login', {}, evil)
  const missing = await app.browser().document('/nowhere')
  expect([turned.status, turned.page.props.reference]).toEqual([403, idOf(turned)])
  expect([missing.status, missing.page.props]).toEqual([
    404,
    expect.not.objectContaining({ reference: expect.anything() }),
  ])
  expect(missing.body).not.toContain(errorReference)
})

test('a failed login is logged with the ID of its request', async () => {
  const app = await testApp()
  const visit = await logIn(app.browser(), ann, { stay: true })
  expect(linesOf(app, idOf(visit))).toEqual(['login failed', 'request'])
})

test('a failure to load the user is logged with the ID of the request', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await hideLogins(app.db)
  const visit = await browser.get('/')
  expect(linesOf(app, idOf(visit))).toEqual(['the user could not be looked up', 'request'])
})

test('a failure after the response is logged with the ID of the request that caused it', async () => {
  const app = await testApp({ config: { sessionStore: 'database' } })
  const browser = await registeredBrowser(app, ann)
  await refuseLoginChanges(app.db)
  await refuseSessions(app.db)
  await app.pass({ minutes: 2 })
  const visit = await browser.get('/')
  await app.awaitWrites()
  await expect
    .poll(() => linesOf(app, idOf(visit)).toSorted())
    .toEqual(['login seen failed', 'request', 'session seen failed'])
})

test('a response that cannot be sent becomes a 500 with security headers, and one log line says why', async () => {
  const app = await answering(() => ({ status: 200, headers: { 'X-Bad': 'a\nb' }, body: '' }))
  const visit = await app.browser().send('GET', '/')
  expect(visit).toMatchObject({
    status: 500,
    headers: {
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    },
    body: 'Internal Server Error\n',
  })
  expect(linesOf(app, idOf(visit))).toEqual(['the answer could not be sent'])
})
