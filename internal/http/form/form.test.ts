import { expect, test } from 'vitest'
import { ann, bob, registeredBrowser, registration } from '../../testing/people.ts'
import { allLogins, allUsers } from '../../testing/database/rows.ts'
import { testApp } from '../../testing/test-app.ts'
import { action } from './form.ts'
import { everyone } from '../guards.ts'
import { redirect } from '../reply.ts'
import { atMost, required } from './rules.ts'
import { errorWords } from '#words/errors'
import type { Context } from '../context.ts'
import type { Route } from '../router.ts'

const missing = 'Fill in this field.'

test('a form that fails goes back to its Referer with errors by field', async () => {
  const app = await testApp()
  const browser = app.browser()
  await browser.get('/register?plan=a')
  const sent = await browser.post('/register', { ...registration(ann), name: '' }, { stay: true })
  const formPage = await browser.get(sent.location ?? '')
  const again = await browser.get('/register')
  expect(sent).toMatchObject({ status: 303, location: '/register?plan=a' })
  expect(formPage.errors).toEqual({ name: missing })
  expect(again.errors).toEqual({})
})

test('a form that fails with no Referer of this site goes back to its own page', async () => {
  const app = await testApp()
  const headers = { Referer: 'https://evil.test/register' }
  const visit = await app.browser().post('/register', {}, { headers, stay: true })
  expect(visit).toMatchObject({ status: 303, location: '/register' })
})

test('a validation-only request reports the errors of the fields that it names', async () => {
  const app = await testApp()
  const visit = await app
    .browser()
    .validate('/register', { name: 'Ann', email: 'x' }, ['name', 'email'])
  expect(visit.status).toBe(422)
  expect(visit.headers['x-page-validate-only']).toBe('true')
  expect(visit.json).toEqual({ errors: { email: expect.stringContaining('email address') } })
})

test('a validation-only request that names no field checks all fields', async () => {
  const app = await testApp()
  const visit = await app.browser().validate('/register', {})
  expect(visit.json).toEqual({
    errors: { name: missing, email: missing, password: missing, password_confirmation: missing },
  })
})

test('a validation-only request without errors gets a 204, and its handler is not run', async () => {
  const app = await testApp()
  const browser = app.browser()
  const visit = await browser.validate('/register', registration(ann))
  expect(visit.status).toBe(204)
  expect(visit.headers['x-page-validate-only']).toBe('true')
  expect(visit.body).toBe('')
  expect(await allUsers(app.db)).toEqual([])
  expect(browser.cookies.size).toBe(0)
})

test('the errors of a validation-only request do not appear on the next page', async () => {
  const app = await testApp()
  const browser = app.browser()
  await browser.validate('/register', {})
  expect((await browser.get('/register')).errors).toEqual({})
})

test('a login form is read the same whether URL-encoded, multipart or JSON', async () => {
  const app = await testApp()
  const fields = { email: ann.email, password: ann.password, remember: 'on' }
  const parts = Object.entries(fields).map(
    ([name, value]) =>
      `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  await registeredBrowser(app, ann)
  await app.pass({ seconds: 1 })
  const urlencoded = await app
    .browser()
    .send('POST', '/login', { body: new URLSearchParams(fields).toString() })
  const multipart = await app.browser().send('POST', '/login', {
    type: 'multipart/form-data; boundary=edge',
    body: `${parts.join('')}--edge--\r\n`,
  })
  const json = await app.browser().send('POST', '/login', {
    type: 'Application/JSON; charset=utf-8',
    body: JSON.stringify({ ...fields, remember: true }),
  })
  expect(urlencoded).toMatchObject({ status: 303, location: '/dashboard' })
  expect(multipart).toMatchObject({ status: 303, location: '/dashboard' })
  expect(json.status).toBe(200)
  expect(json.json).toEqual({ redirect: '/dashboard' })
  expect((await allLogins(app.db)).map(({ remember }) => remember)).toEqual([
    false,
    true,
    true,
    true,
  ])
})

test('a form with X-Page may be sent as JSON', async () => {
  const app = await testApp()
  const visit = await app
    .browser()
    .postJson('/register', registration(ann), { headers: { 'X-Page': 'true' } })
  expect(visit.component).toBe('Auth/VerifyEmail')
})

test('a JSON exchange that fails gets a message and errors by field, and the next page shows none of them', async () => {
  const app = await testApp()
  const browser = app.browser()
  const visit = await browser.postJson('/register', { ...registration(ann), name: '' })
  expect(visit.status).toBe(422)
  expect(visit.json).toEqual({
    message: 'Some fields need another look.',
    errors: { name: missing },
  })
  expect((await browser.get('/register')).errors).toEqual({})
})

test('a JSON exchange that succeeds returns where to go, and that page shows its flash', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const visit = await browser.postJson('/logout', {})
  expect(visit.status).toBe(200)
  expect(visit.json).toEqual({ redirect: '/' })
  expect((await browser.get('/')).flash).toEqual({ success: 'You are logged out.' })
})

test('any other refusal of a JSON exchange gets a message and nothing else', async () => {
  const app = await testApp()
  const browser = app.browser()
  const visits = [
    await browser.send('POST', '/login', { type: 'application/json', body: '{' }),
    await browser.postJson('/login', {}, { headers: { Origin: 'https://evil.test' } }),
    await browser.postJson('/nowhere', {}),
    await browser.postJson('/up', {}),
    await browser.postJson('/login', { email: 'x'.repeat(64 * 1024) }),
    await browser.postJson('/login', {}, { headers: { 'Content-Encoding': 'gzip' } }),
  ]
  expect(visits.map(({ status }) => status)).toEqual([400, 403, 404, 405, 413, 415])
  const message = expect.stringMatching(/\S/) as string
  expect(visits.map(({ json }) => json)).toEqual(visits.map(() => ({ message })))
})

const formRoutes: readonly Route[] = (['POST', 'PUT', 'PATCH', 'DELETE'] as const).map(
  (method) => ({
    method,
    name: 'login',
    who: everyone,
    handler: action({ email: [required] }, (c: Context) => redirect(c, '/', { success: method })),
  }),
)
const pageRoute: Route = {
  method: 'GET',
  name: 'login',
  who: everyone,
  handler: (c: Context) => redirect(c, '/never'),
}

async function flashOf(method: string): Promise<string> {
  const app = await testApp({ routes: [pageRoute, ...formRoutes] })
  const browser = app.browser()
  const visit = await browser.post('/login', { email: 'a', _method: method }, { stay: true })
  expect(visit).toMatchObject({ status: 303, location: '/' })
  return (await browser.get('/nowhere')).flash.success ?? ''
}

test('a plain form reaches PUT, PATCH and DELETE through _method, in capitals or lower case', async () => {
  expect(await flashOf('PUT')).toBe('PUT')
  expect(await flashOf('patch')).toBe('PATCH')
  expect(await flashOf('DELETE')).toBe('DELETE')
})

test('a POST with any other _method stays a POST', async () => {
  expect(await flashOf('GET')).toBe('POST')
  expect(await flashOf('')).toBe('POST')
  expect(await flashOf('TRACE')).toBe('POST')
})

test('PUT, PATCH and DELETE are answered with 303', async () => {
  const app = await testApp({ routes: formRoutes })
  const sent = { body: 'email=a' }
  expect((await app.browser().send('PUT', '/login', sent)).status).toBe(303)
  expect((await app.browser().send('PATCH', '/login', sent)).status).toBe(303)
  expect((await app.browser().send('DELETE', '/login', sent)).status).toBe(303)
})

test('a GET with _method in its query stays a GET', async () => {
  const app = await testApp({ routes: [pageRoute, ...formRoutes] })
  const visit = await app.browser().get('/login?_method=DELETE', { stay: true })
  expect(visit.location).toBe('/never')
})

test('old input comes back once to a browser without JavaScript, without the passwords', async () => {
  const app = await testApp()
  const browser = app.browser()
  await browser.document('/register')
  const typed = {
    ...registration(ann),
    name: '',
    email: 'ann@x',
    password_confirmation: 'another',
    _method: '',
  }
  const back = await browser.document('/register', typed)
  const again = await browser.document('/register')
  expect(back.page.props.old).toEqual({ name: '', email: 'ann@x' })
  expect(back.body).toContain('value="ann@x"')
  expect(back.body).not.toContain(ann.password)
  expect(back.body).not.toContain('another')
  expect(again.page.props).not.toHaveProperty('old')
})

test('old input is not sent to the page client, which still has it', async () => {
  const app = await testApp()
  const browser = app.browser()
  await browser.get('/register')
  const back = await browser.post('/register', { name: 'Ann' })
  expect(back.errors).toHaveProperty('email')
  expect(back.page.props).not.toHaveProperty('old')
})

test('a line break in a field counts as one character, whether sent as LF, CRLF or CR', async () => {
  const emails: string[] = []
  const handler = action({ email: [atMost(3, 'nameLong')] }, (c: Context, { email }) => {
    emails.push(email)
    return redirect(c, '/')
  })
  const app = await testApp({ routes: [{ method: 'POST', name: 'login', who: everyone, handler }] })
  for (const email of ['a\nb', 'a\r\nb', 'a\rb']) await app.browser().post('/login', { email })
  expect(emails).toEqual(['a\nb', 'a\nb', 'a\nb'])
})

test('spaces around a text field are removed, and those around a password are kept', async () => {
  const app = await testApp()
  const password = ' eight  '
  await app.browser().post('/register', {
    ...registration({ ...ann, password }),
    name: ' Ann ',
    email: ` ${ann.email} `,
  })
  const [user] = await allUsers(app.db)
  const trimmed = await app
    .browser()
    .post('/login', { email: ann.email, password: password.trim() })
  const untrimmed = await app.browser().post('/login', { email: ann.email, password })
  expect(user).toMatchObject({ name: 'Ann', email: ann.email })
  expect(trimmed.user).toBeNull()
  expect(untrimmed.user?.name).toBe('Ann')
})

test('direction marks around a name and email are removed, and isolates inside a name are refused', async () => {
  const app = await testApp()
  const named = { ...ann, name: '\u2068Ann\u200f\u2069 ', email: `\ufeff${ann.email}\u202c` }
  await app.browser().post('/register', registration(named))
  const [user] = await allUsers(app.db)
  const inside = registration({ ...bob, name: 'Ann \u2068of\u2069 the Hill' })
  expect(user).toMatchObject({ name: 'Ann', email: ann.email })
  expect((await app.browser().post('/register', inside)).errors).toEqual({
    name: errorWords.control,
  })
})

test('direction marks and soft hyphens inside a name are removed, and joiners between letters are kept', async () => {
  const app = await testApp()
  const names = ['محمد \u200e(Mo)\u200e علي', 'Ann\u00ad\u2060Marie', '\u061cمحمد', 'می\u200cخواهم']
  for (const [at, name] of names.entries())
    await app.browser().post('/register', registration({ ...ann, name, email: `${at}@x.test` }))
  const kept = (await allUsers(app.db)).map(({ name }) => name)
  expect(kept).toEqual(['محمد (Mo) علي', 'AnnMarie', 'محمد', 'می\u200cخواهم'])
})

test('an email’s domain that the browser sends as Punycode is stored in Unicode', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, { ...ann, email: 'ann@xn--bcher-kva.example' })
  expect((await browser.get('/verify-email')).user?.email).toBe('ann@bücher.example')
  const profile = { _method: 'PATCH', name: 'Ann', email: 'ann@xn--kln-sna.example' }
  expect((await browser.post('/settings/profile', profile)).user?.email).toBe('ann@köln.example')
})

test('a field sent twice, the second time with only spaces, counts as empty', async () => {
  const app = await testApp()
  const form = new URLSearchParams(registration(ann)).toString()
  const visit = await app.browser().send('POST', '/register', {
    body: `${form}&name=%20%20`,
    headers: { 'X-Page-Validate-Only': 'name' },
  })
  expect(visit.json).toEqual({ errors: { name: missing } })
})
