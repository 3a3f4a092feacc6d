import { appName } from '../../../../web/contract/name.ts'
import { expect, test } from 'vitest'
import { flashWords } from '#words/flash'
import { ann, logIn, registeredBrowser } from '../../../testing/people.ts'
import { allLogins } from '../../../testing/database/rows.ts'
import { testApp } from '../../../testing/test-app.ts'

test('POST /logout deletes the login row, redirects home and shows a message', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const sent = await browser.post('/logout', {}, { stay: true })
  const home = await browser.get('/')
  expect([sent.status, sent.location]).toEqual([303, '/'])
  expect([home.component, home.user, home.flash]).toEqual([
    'Home',
    null,
    { success: flashWords.loggedOut },
  ])
  expect(await allLogins(app.db)).toEqual([])
})

test('the first page after a logout clears the browser’s page history, and the next page does not', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const home = await browser.post('/logout')
  const next = await browser.get('/login')
  expect([home.page.clearHistory, next.page.clearHistory]).toEqual([true, false])
  expect(next.flash).toEqual({})
})

test('a logout empties the session, except for its message and the clearing of the history', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await browser.get('/confirm-password', { stay: true })
  await browser.post('/logout', {}, { stay: true })
  const [, cookie = ''] = [...browser.cookies].find(([name]) => name === `${appName}_session`) ?? []
  const sealed = app.keys.open('session', '', cookie)
  expect(JSON.parse(sealed?.text ?? '')).toEqual({
    at: app.now().getTime(),
    session: { clearHistory: true, flash: { success: flashWords.loggedOut } },
  })
})

test('a session cookie copied before the logout is logged out by it', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const thief = app.browser()
  for (const [name, value] of browser.cookies) thief.cookies.set(name, value)
  const before = await thief.get('/')
  await browser.post('/logout')
  const after = await thief.get('/verify-email', { stay: true })
  expect([before.user?.name, after.location]).toEqual(['Ann', '/login'])
})

test('a logout leaves the other browsers of the account logged in', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const other = app.browser()
  await logIn(other, ann)
  await browser.post('/logout')
  const visit = await other.get('/')
  expect(visit.user?.name).toBe('Ann')
})

test('a guest who sends POST /logout is sent to log in, and then to the page of the form', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await browser.get('/verify-email')
  browser.cookies.clear()
  const turned = await browser.post('/logout', {}, { stay: true })
  const back = await logIn(browser, ann)
  expect([turned.status, turned.location]).toEqual([303, '/login'])
  expect(back.url).toBe('/verify-email')
})

test('a form on another site cannot log a user out', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const sent = await browser.post('/logout', {}, { headers: { Origin: 'http://evil.test' } })
  const visit = await browser.get('/')
  expect([sent.status, visit.user?.name]).toEqual([403, 'Ann'])
})
