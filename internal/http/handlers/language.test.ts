import { expect, test } from 'vitest'
import { errorWords } from '#words/errors'
import { serverWords } from '../../../web/contract/words/server-words.ts'
import { hideLogins, showLogins } from '../../testing/database/hidden-tables.ts'
import { deleteLogins } from '../../testing/database/rows.ts'
import { ann, logIn, registeredBrowser } from '../../testing/people.ts'
import { testApp } from '../../testing/test-app.ts'

const inGerman = { headers: { 'Accept-Language': 'de-AT,en;q=0.8' } }
const german = '<html lang="de" dir="ltr">'
const inDe = { _method: 'PUT', language: 'de' }
const { titles } = serverWords.de

test('a page is in the language that the browser asks for, and its Vary header names Accept-Language', async () => {
  const app = await testApp()
  const visit = await app.browser().document('/login', undefined, inGerman)
  const other = await app.browser().document('/login')
  expect(visit.body).toContain(german)
  expect(visit.body).toContain(`<title>${titles['Auth/Login']}`)
  expect(visit.page.props.language).toBe('de')
  expect(visit.headers.vary).toMatch(/\bAccept-Language\b/)
  expect(other.body).toContain('<html lang="en" dir="ltr">')
})

test('the language that a guest chooses is stored in a cookie for a year, and again when chosen again', async () => {
  const app = await testApp()
  const browser = app.browser()
  await browser.document('/login')
  const chosen = await browser.post('/language', inDe, { stay: true })
  const again = await browser.post('/language', inDe, { stay: true })
  const next = await browser.document('/login')
  expect([chosen.status, chosen.location]).toEqual([303, '/login'])
  for (const { headers } of [chosen, again])
    expect(String(headers['set-cookie'])).toMatch(
      /\w_language=de; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax/,
    )
  expect(next.body).toContain(german)
})

test('on https the language cookie has the prefix __Host- and is Secure', async () => {
  const app = await testApp({ config: { origin: 'https://app.test', https: true } })
  const { headers } = await app.browser().post('/language', inDe, { stay: true })
  expect(String(headers['set-cookie'])).toMatch(/__Host-\w+_language=de;[^,]*; Secure/)
})

test('the chosen language follows the account to another browser', async () => {
  const app = await testApp()
  await (await registeredBrowser(app, ann)).post('/language', inDe, { stay: true })
  const other = app.browser()
  await logIn(other, ann)
  expect((await other.document('/settings/appearance')).body).toContain(german)
})

test('a user’s choice of a language is refused while it is not known who they are', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await hideLogins(app.db)
  const refused = await browser.post('/language', inDe, { stay: true })
  await showLogins(app.db)
  const next = await browser.document('/settings/appearance')
  expect([refused.status, refused.headers['set-cookie']]).toEqual([500, undefined])
  expect([next.user?.name, next.page.props.language]).toEqual([ann.name, 'en'])
})

test('the language is stored even if the form arrives late and its login has ended', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await deleteLogins(app.db)
  await browser.post('/language', inDe, { beforeBody: () => app.pass({ seconds: 2 }) })
  expect((await browser.document('/login')).body).toContain(german)
})

test('a page loaded in one language gets a 409 that reloads it once another language is chosen', async () => {
  const browser = (await testApp()).browser()
  const { page } = await browser.document('/login')
  const sending = { headers: { 'X-Page-Version': page.version } }
  const before = await browser.get('/login', sending)
  await browser.post('/language', inDe, { stay: true })
  const after = await browser.get('/login', sending)
  expect([before.status, after.status, after.headers['x-page-location']]).toEqual([
    200,
    409,
    '/login',
  ])
})

test('the browser stays in the language of the account after logging out', async () => {
  const app = await testApp()
  await (await registeredBrowser(app, ann)).post('/language', inDe, { stay: true })
  const other = app.browser()
  await logIn(other, ann)
  await other.document('/settings/appearance')
  await other.document('/logout', {})
  expect((await other.document('/login')).body).toContain(german)
})

test('an unknown language is refused, and the language stays the same', async () => {
  const browser = (await testApp()).browser()
  const visit = await browser.post('/language', { _method: 'PUT', language: 'constructor' })
  expect(visit.errors).toEqual({ language: errorWords.languageUnknown })
  expect((await browser.document('/login')).body).toContain('<html lang="en" dir="ltr">')
})
