import { expect, test } from 'vitest'
import { HashesBusy } from '../base/password/hash-queue.ts'
import { DatabaseBusy } from '../db/db.ts'
import { testApp } from '../testing/test-app.ts'
import { everyone } from './guards.ts'
import type { Config } from '../base/settings/config.ts'

/** An app whose landing page fails with this. */
function failing(error: Error, config: Partial<Config> = {}) {
  const handler = () => {
    throw error
  }
  return testApp({ config, routes: [{ method: 'GET', name: 'home', who: everyone, handler }] })
}

test('a failure is the page Error with the shared props, and is logged', async () => {
  const error = new Error('the secret reason')
  const app = await failing(error)
  const visit = await app.browser().document('/')
  expect(visit.status).toBe(500)
  expect(visit.page).toMatchObject({
    component: 'Error',
    props: { status: 500, auth: { user: null }, bell: { unread: 0 } },
  })
  expect(visit.body).not.toContain('the secret reason')
  expect(app.logged).toContainEqual({
    level: 'error',
    message: 'the request failed',
    facts: { path: '/', error, request: visit.headers['x-request-id'] },
  })
})

test('a failure tells its stack with APP_DEBUG alone', async () => {
  const error = new Error('the secret reason')
  const open = await failing(error, { debug: true })
  const closed = await failing(error)
  expect((await open.browser().get('/')).page.props.detail).toContain('refusals.test.ts')
  expect((await closed.browser().get('/')).page.props).not.toHaveProperty('detail')
})

test('a failure of a JSON exchange is a message', async () => {
  const app = await failing(new Error('the secret reason'))
  const visit = await app
    .browser()
    .send('GET', '/', { headers: { 'Content-Type': 'application/json' } })
  expect(visit.status).toBe(500)
  expect(visit.json).toEqual({ message: expect.not.stringContaining('secret') })
})

test('too many waiting hashes are a 503 that says when to come again', async () => {
  const app = await failing(new HashesBusy())
  const visit = await app.browser().document('/')
  expect(visit.status).toBe(503)
  expect(visit.headers['retry-after']).toBe('1')
  expect(visit.component).toBe('Error')
})

test('a database that stays locked is a 503 that says when to come again', async () => {
  const app = await failing(new DatabaseBusy())
  const visit = await app.browser().get('/')
  expect(visit.status).toBe(503)
  expect(visit.headers['retry-after']).toBe('5')
})

test('a page that failed can be asked for again, and what was sent with a form or is not there cannot', async () => {
  const app = await failing(new Error('once'))
  const failed = await app.browser().get('/?a=1')
  const missing = await app.browser().get('/nowhere')
  expect(failed.page.props).toMatchObject({ status: 500, again: '/?a=1' })
  expect(missing.page.props).not.toHaveProperty('again')
})

test('a request after one that failed is answered', async () => {
  const app = await failing(new Error('once'))
  const browser = app.browser()
  await browser.get('/')
  expect((await browser.get('/nowhere')).status).toBe(404)
})

test('the health check says up while the database answers', async () => {
  const app = await testApp()
  const get = await app.browser().send('GET', '/up')
  const head = await app.browser().send('HEAD', '/up')
  expect(get).toMatchObject({
    status: 200,
    body: 'up',
    headers: { 'content-type': 'text/plain; charset=utf-8' },
  })
  expect(head).toMatchObject({ status: 200, body: '' })
})

test('the health check is a 503 while the database does not answer', async () => {
  const app = await testApp()
  await app.db.close()
  const get = await app.browser().send('GET', '/up')
  const head = await app.browser().send('HEAD', '/up')
  expect([get.status, head.status]).toEqual([503, 503])
})

test('the health check is in the request log', async () => {
  const app = await testApp()
  await app.browser().send('GET', '/up')
  expect(app.logged).toMatchObject([
    { message: 'request', facts: { method: 'GET', path: '/up', status: 200 } },
  ])
})

test('a login while the database fails is a 500, never a pass', async () => {
  const app = await testApp()
  await app.db.close()
  const visit = await app
    .browser()
    .post('/login', { email: 'ann@x.test', password: 'correct horse' })
  expect(visit.status).toBe(500)
  expect(visit.headers).not.toHaveProperty('set-cookie')
})
