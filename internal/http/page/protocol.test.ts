import { expect, test } from 'vitest'
import { testAssets } from '../../testing/assets.ts'
import { ann, registeredBrowser, registration } from '../../testing/people.ts'
import { allUsers } from '../../testing/database/rows.ts'
import { testApp } from '../../testing/test-app.ts'
import { everyone } from '../guards.ts'
import { redirectAway } from '../reply.ts'
import { Optional, page } from './page.ts'
import type { Context } from '../context.ts'
import type { Handler } from '../form/form.ts'
import type { Route } from '../router.ts'

const inertia = { 'X-Inertia': 'true', 'X-Inertia-Version': testAssets.scripts('en').version }

test('an Inertia client gets the page as JSON with Inertia’s header', async () => {
  const app = await testApp()
  const own = await app.browser().get('/login')
  const theirs = await app.browser().send('GET', '/login', { headers: inertia })
  expect(theirs.headers).toMatchObject({ 'content-type': 'application/json', 'x-inertia': 'true' })
  expect(theirs.headers).not.toHaveProperty('x-page')
  expect(theirs.json).toEqual(own.json)
})

test('an Inertia client of an older build gets a 409 with Inertia’s header', async () => {
  const app = await testApp()
  const headers = { ...inertia, 'X-Inertia-Version': 'old' }
  const visit = await app.browser().send('GET', '/login', { headers })
  expect(visit.status).toBe(409)
  expect(visit.headers['x-inertia-location']).toBe('/login')
  expect(visit.headers).not.toHaveProperty('x-page-location')
})

test('a redirect to another site is a 409 for a page client, and a 303 for any other browser', async () => {
  const elsewhere = 'https://elsewhere.test/a?b=c'
  const handler: Handler = (c) => redirectAway(c, elsewhere)
  const app = await testApp({ routes: [{ method: 'POST', name: 'up', who: everyone, handler }] })
  const sent = (headers: Record<string, string>) => app.browser().send('POST', '/up', { headers })
  const vary = 'X-Page, X-Inertia, Accept-Language'
  const [own, theirs, plain] = [
    await sent({ 'X-Page': 'true' }),
    await sent(inertia),
    await sent({}),
  ]
  expect(own).toMatchObject({ status: 409, headers: { 'x-page-location': elsewhere, vary } })
  expect(theirs).toMatchObject({ status: 409, headers: { 'x-inertia-location': elsewhere, vary } })
  expect(plain).toMatchObject({ status: 303, location: elsewhere })
})

const withProps: Route = {
  method: 'GET',
  name: 'home',
  who: everyone,
  handler: (c: Context) =>
    page(c, 'Error', { status: 200, message: 'fine', detail: new Optional(() => 'worked out') }),
}

test('an Inertia client can reload only the props that it names', async () => {
  const app = await testApp({ routes: [withProps] })
  const headers = {
    ...inertia,
    'X-Inertia-Partial-Component': 'Error',
    'X-Inertia-Partial-Data': 'detail',
  }
  const visit = await app.browser().send('GET', '/', { headers })
  expect(visit.page.props).toMatchObject({ detail: 'worked out' })
  expect(visit.page.props).not.toHaveProperty('message')
})

test('an Inertia client can reload all props except those that it names', async () => {
  const app = await testApp({ routes: [withProps] })
  const headers = {
    ...inertia,
    'X-Inertia-Partial-Component': 'Error',
    'X-Inertia-Partial-Except': 'message',
  }
  const visit = await app.browser().send('GET', '/', { headers })
  expect(visit.page.props).toMatchObject({ status: 200 })
  expect(visit.page.props).not.toHaveProperty('message')
})

test('a failed form of an Inertia client is redirected back and shows its errors', async () => {
  const app = await testApp()
  const browser = app.browser()
  await browser.get('/login')
  const sent = await browser.send('POST', '/login', {
    headers: inertia,
    type: 'application/json',
    body: '{"email":""}',
  })
  const visit = await browser.send('GET', '/login', { headers: inertia })
  expect(sent).toMatchObject({ status: 303, location: '/login' })
  expect(visit.page.props.errors).toEqual({
    email: 'Fill in this field.',
    password: 'Fill in this field.',
  })
})

test('a Precognition request of an Inertia client gets a 422 with the errors and Precognition’s header', async () => {
  const app = await testApp()
  const headers = { ...inertia, Precognition: 'true', 'Precognition-Validate-Only': 'name,email' }
  const visit = await app.browser().send('POST', '/register', { headers, body: 'name=Ann&email=x' })
  expect(visit.status).toBe(422)
  expect(visit.headers.precognition).toBe('true')
  expect(visit.headers).not.toHaveProperty('precognition-success')
  expect(visit.json).toEqual({ errors: { email: expect.any(String) } })
})

test('a valid Precognition request without X-Inertia gets a 204, and its handler is not run', async () => {
  const app = await testApp()
  const body = new URLSearchParams(registration(ann)).toString()
  const visit = await app
    .browser()
    .send('POST', '/register', { headers: { Precognition: 'true' }, body })
  expect(visit.status).toBe(204)
  expect(visit.headers).toMatchObject({ precognition: 'true', 'precognition-success': 'true' })
  expect(await allUsers(app.db)).toEqual([])
})

test('logout of an Inertia client clears its history', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const sent = await browser.send('POST', '/logout', { headers: inertia })
  const visit = await browser.send('GET', '/', { headers: inertia })
  expect(sent.status).toBe(303)
  expect(visit.page).toMatchObject({ clearHistory: true, encryptHistory: true })
})
