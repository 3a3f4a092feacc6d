import { expect, test } from 'vitest'
import { HashesBusy } from '../base/password/hash-queue.ts'
import { CommitInDoubt, DatabaseBusy } from '../db/db.ts'
import { testApp } from '../testing/test-app.ts'
import { everyone } from './guards.ts'
import { serverWords as de } from '../../web/contract/words/de/server.ts'
import { serverWords as en } from '../../web/contract/words/en/server.ts'
import type { Config } from '../base/settings/config.ts'

/** Returns an app whose landing page throws this error. */
function failing(error: Error, config: Partial<Config> = {}) {
  const handler = () => {
    throw error
  }
  const route = { name: 'home', who: everyone, handler } as const
  const routes = [{ ...route, method: 'GET' } as const, { ...route, method: 'POST' } as const]
  return testApp({ config, routes })
}

test('a failure gets the page Error with the shared props and without the reason, and is logged', async () => {
  const error = new Error('the secret reason')
  const app = await failing(error)
  const visit = await app.browser().document('/')
  expect(visit.status).toBe(500)
  expect(visit.page).toMatchObject({
    component: 'Error',
    props: { status: 500, auth: { user: null }, bell: { unread: 0 } },
  })
  expect(visit.body).not.toContain('the secret reason')
  expect(app.logLines).toContainEqual({
    level: 'error',
    message: 'the request failed',
    facts: { path: '/', error, request: visit.headers['x-request-id'] },
  })
})

test('a failure shows its stack trace only with APP_DEBUG', async () => {
  const error = new Error('the secret reason')
  const open = await failing(error, { debug: true })
  const closed = await failing(error)
  expect((await open.browser().get('/')).page.props.detail).toContain('refusals.test.ts')
  expect((await closed.browser().get('/')).page.props).not.toHaveProperty('detail')
})

test('a failing JSON exchange gets a message without the reason', async () => {
  const app = await failing(new Error('the secret reason'))
  const visit = await app
    .browser()
    .send('GET', '/', { headers: { 'Content-Type': 'application/json' } })
  expect(visit.status).toBe(500)
  expect(visit.json).toEqual({ message: expect.not.stringContaining('secret') })
})

test('a request that finds too many hashes waiting gets a 503 with Retry-After', async () => {
  const app = await failing(new HashesBusy())
  const visit = await app.browser().document('/')
  expect(visit.status).toBe(503)
  expect(visit.headers['retry-after']).toBe('1')
  expect(visit.component).toBe('Error')
})

test('a request gets a 503 that says so, with Retry-After, while the database is busy or unreachable', async () => {
  const app = await failing(new DatabaseBusy())
  const inGerman = { headers: { 'Accept-Language': 'de' } }
  const visits = [await app.browser().get('/', inGerman), await app.browser().post('/')]
  expect(visits.map(({ status, page }) => [status, page.props['message']])).toEqual([
    [503, de.errorPages.away.text],
    [503, en.errorPages.away.text],
  ])
  expect(visits.map(({ headers }) => headers['retry-after'])).toEqual(['5', '5'])
})

test('a change whose commit is in doubt gets a 503 that says so, without Retry-After', async () => {
  const app = await failing(new CommitInDoubt(new Error('the secret reason')))
  const inGerman = { headers: { 'Accept-Language': 'de' } }
  const json = { type: 'application/json', body: '{}' }
  const form = await app.browser().post('/', {}, inGerman)
  const exchange = await app.browser().send('POST', '/', json)
  const look = await app.browser().get('/')
  expect(form.page.props['message']).toBe(de.errorPages.inDoubt.text)
  expect(exchange.json).toEqual({ message: en.errorPages.inDoubt.text })
  // A GET makes no change.
  expect(look.page.props['message']).toBe(en.errorPages.away.text)
  const answers = [form, exchange, look]
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
  expect(answers.map(({ headers }) => headers['retry-after'])).toEqual([undefined, undefined, '5'])
})

test('an unreachable database is logged once a minute, and every commit in doubt', async () => {
  const app = await failing(new DatabaseBusy('The database does not answer.'))
  const look = () => app.browser().get('/')
  await Promise.all([look(), look(), look()])
  await app.pass({ minutes: 1 })
  const { headers } = await look()
  const logLines = app.logLines.filter(({ level }) => level === 'warn')
  expect(logLines).toHaveLength(2)
  expect(logLines[1]).toMatchObject({
    message: 'the database cannot be used',
    facts: { path: '/', error: expect.any(DatabaseBusy), request: headers['x-request-id'] },
  })
  const doubting = await failing(new CommitInDoubt(new Error('lost')))
  await doubting.browser().post('/')
  await doubting.browser().post('/')
  expect(
    doubting.logLines.filter(({ message }) => message === 'not known whether a change was made'),
  ).toHaveLength(2)
})

test('an unreachable database is logged again after the clock was set back', async () => {
  const app = await failing(new DatabaseBusy('The database does not answer.'))
  await app.browser().get('/')
  await app.pass({ hours: -1 })
  await app.browser().get('/')
  await app.browser().get('/')
  expect(app.logLines.filter(({ level }) => level === 'warn')).toHaveLength(2)
})

test('the page of a failed GET offers to load it again, and that of a form or a 404 does not', async () => {
  const app = await failing(new Error('once'))
  const failed = await app.browser().get('/?a=1')
  const sent = await (await failing(new Error('once'))).browser().post('/')
  const missing = await app.browser().get('/nowhere')
  expect(failed.page.props).toMatchObject({ status: 500, again: '/?a=1' })
  expect(sent.page.props).toMatchObject({ status: 500 })
  expect(sent.page.props).not.toHaveProperty('again')
  expect(missing.page.props).not.toHaveProperty('again')
})

test('a request after a failed one is answered', async () => {
  const app = await failing(new Error('once'))
  const browser = app.browser()
  await browser.get('/')
  expect((await browser.get('/nowhere')).status).toBe(404)
})

test('the health check answers 200 with the text up while the database answers', async () => {
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
  expect(app.logLines).toMatchObject([
    { message: 'request', facts: { method: 'GET', path: '/up', status: 200 } },
  ])
})

test('a login gets a 500 and no cookie while the database fails', async () => {
  const app = await testApp()
  await app.db.close()
  const visit = await app
    .browser()
    .post('/login', { email: 'ann@x.test', password: 'correct horse' })
  expect(visit.status).toBe(500)
  expect(visit.headers).not.toHaveProperty('set-cookie')
})
