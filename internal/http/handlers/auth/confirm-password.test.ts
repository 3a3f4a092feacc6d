import { expect, test } from 'vitest'
import { errorWords } from '#words/errors'
import { confirmPassword } from '../../../domain/accounts/confirm-password.ts'
import { addUser, ann as nobody, logInAs } from '../../../testing/database/user-rows.ts'
import { fullQueueOf, keepHashing } from '../../../testing/hashing.ts'
import { ann, behindProxy, bob, from, logIn, registeredBrowser } from '../../../testing/people.ts'
import { deleteLogins } from '../../../testing/database/rows.ts'
import { testApp } from '../../../testing/test-app.ts'
import { verifiedBrowser } from '../../../testing/two-factor.ts'
import { confirmedUsers } from '../../guards.ts'
import { page } from '../../page/page.ts'
import { redirect } from '../../reply.ts'
import { routes } from '../../routes.ts'
import type { Context } from '../../context.ts'
import type { Route } from '../../router.ts'

/** The routes, with the landing page behind a password confirmed within three hours. */
const guarded: readonly Route[] = [
  ...routes.filter(({ name }) => name !== 'home' && name !== 'csp-reports'),
  {
    method: 'GET',
    name: 'home',
    who: confirmedUsers,
    handler: (c: Context) => page(c, 'Home', {}),
  },
  {
    method: 'POST',
    name: 'csp-reports',
    who: confirmedUsers,
    handler: (c: Context) => redirect(c, '/'),
  },
]

/** Returns Ann's browser, sent to confirm a password typed too long ago. */
async function lapsed(options = {}) {
  const app = await testApp({ routes: guarded, ...options })
  const browser = await registeredBrowser(app, ann)
  await app.pass({ hours: 1, minutes: 30 })
  await browser.get('/')
  await app.pass({ hours: 1, minutes: 30 })
  return { app, browser }
}

test('a user whose confirmation lapsed types the password and goes back to the page', async () => {
  const { browser } = await lapsed()
  const turned = await browser.get('/?tab=2')
  const back = await browser.post('/confirm-password', { password: ann.password })
  expect([turned.url, turned.component]).toEqual(['/confirm-password', 'Auth/ConfirmPassword'])
  expect(turned.page.props['passkey']).toBe(false)
  expect([back.url, back.component]).toEqual(['/?tab=2', 'Home'])
})

test('a form sent after the confirmation lapsed leads back to its page once the password is confirmed', async () => {
  const { browser } = await lapsed()
  await browser.get('/verify-email')
  await browser.post('/csp-reports')
  const back = await browser.post('/confirm-password', { password: ann.password })
  expect(back.url).toBe('/verify-email')
})

test('the first confirmation leads to the wanted page, and the next one to the dashboard', async () => {
  const { browser } = await lapsed()
  await browser.get('/?tab=2')
  const confirm = () =>
    browser.post('/confirm-password', { password: ann.password }, { stay: true })
  expect((await confirm()).location).toBe('/?tab=2')
  expect((await confirm()).location).toBe('/dashboard')
})

test('a password confirmation holds for three hours', async () => {
  const { app, browser } = await lapsed()
  await browser.post('/confirm-password', { password: ann.password })
  await app.pass({ hours: 1, minutes: 59 })
  const soon = await browser.get('/')
  await app.pass({ hours: 1, minutes: 1 })
  const late = await browser.get('/')
  expect([soon.url, late.url]).toEqual(['/', '/confirm-password'])
})

test('a wrong password shows an error at its field and confirms nothing', async () => {
  const { browser } = await lapsed()
  const visit = await browser.post('/confirm-password', { password: 'wrong word' })
  expect(visit.errors).toEqual({ password: errorWords.wrongPassword })
  expect((await browser.get('/')).url).toBe('/confirm-password')
})

test('a user has five tries a minute, each counted before the password is checked', async () => {
  const { app, browser } = await lapsed()
  await browser.get('/')
  const wrong = { password: 'wrong word' }
  const tries = await Promise.all(
    Array.from({ length: 5 }, () => browser.post('/confirm-password', wrong, { stay: true })),
  )
  const sixth = await browser.post('/confirm-password', { password: ann.password }, { stay: true })
  await app.pass({ minutes: 1 })
  const later = await browser.post('/confirm-password', { password: ann.password }, { stay: true })
  expect(tries.map(({ headers }) => headers['retry-after'])).toEqual(Array(5).fill(undefined))
  expect(sixth.headers['retry-after']).toBe('60')
  expect([later.location, later.headers['retry-after']]).toEqual(['/', undefined])
})

test('tries are counted per user, whatever address they come from', async () => {
  const { app, browser } = await lapsed(behindProxy)
  const bobs = await registeredBrowser(app, bob)
  const wrong = { password: 'wrong word' }
  const tries = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5', '192.0.2.6']
  const visits = await Promise.all(
    tries.map((address) =>
      browser.post('/confirm-password', wrong, { ...from(address), stay: true }),
    ),
  )
  const other = await bobs.post('/confirm-password', wrong, from('192.0.2.1'))
  expect(visits.filter(({ headers }) => headers['retry-after'])).toHaveLength(1)
  expect(other.errors).toEqual({ password: errorWords.wrongPassword })
})

test('a correct password clears the tries', async () => {
  const { browser } = await lapsed()
  const say = (password: string) => browser.post('/confirm-password', { password }, { stay: true })
  await Promise.all(Array.from({ length: 4 }, () => say('wrong word')))
  await say(ann.password)
  const later = await Promise.all(Array.from({ length: 5 }, () => say('wrong word')))
  expect(later.filter(({ headers }) => headers['retry-after'])).toEqual([])
})

test('a try is not counted when it is refused because too many passwords wait to be hashed', async () => {
  const { app, browser } = await lapsed()
  await browser.get('/')
  const confirm = () =>
    browser.post('/confirm-password', { password: ann.password }, { stay: true })
  const hashing = keepHashing(app, fullQueueOf('127.0.0.1'))
  const busy = await Promise.all(Array.from({ length: 5 }, confirm))
  await hashing.stop()
  const { status, location } = await confirm()
  expect(busy.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
  expect([status, location]).toEqual([303, '/'])
})

test('a JSON client can confirm, and gets an error for a wrong password and the wait for too many tries', async () => {
  const { browser } = await lapsed()
  await browser.get('/?tab=2')
  const say = (password: string) => browser.postJson('/confirm-password', { password })
  const wrong = await say('wrong word')
  const right = await say(ann.password)
  await Promise.all(Array.from({ length: 5 }, () => say('wrong word')))
  const early = await say(ann.password)
  expect([wrong.status, wrong.json]).toMatchObject([
    422,
    { errors: { password: errorWords.wrongPassword } },
  ])
  expect([right.status, right.json]).toEqual([200, { redirect: '/?tab=2' }])
  expect([early.status, early.headers['retry-after']]).toEqual([422, '60'])
})

test('an account without a password is not matched by an empty password', async () => {
  const app = await testApp()
  const user = await addUser(app.db, { ...nobody, passwordHash: '' })
  const login = await logInAs(app, user)
  const tried = await confirmPassword(app, login, { password: '', address: '192.0.2.1' })
  expect(tried).toEqual({ result: 'wrong' })
})

test('a guest who opens the confirmation page is sent to log in', async () => {
  const app = await testApp()
  const visit = await app.browser().get('/confirm-password')
  expect(visit.url).toBe('/login')
})

test('a user whose login ends on the confirmation page gets to the wanted page after logging in again', async () => {
  const app = await testApp()
  await verifiedBrowser(app)
  const reaching = async () => {
    const browser = app.browser()
    const { email, password } = ann
    await browser.post('/login', { email, password, remember: 'on' })
    await app.pass({ hours: 4 })
    expect((await browser.get('/settings/security')).url).toBe('/confirm-password')
    await deleteLogins(app.db)
    return browser
  }
  const Referer = `${app.config.origin}/confirm-password`
  const [sent, loaded] = [await reaching(), await reaching()]
  await sent.post('/confirm-password', { password: ann.password }, { headers: { Referer } })
  await loaded.get('/confirm-password')
  const come = [await logIn(sent, ann), await logIn(loaded, ann)]
  expect(come.map(({ url }) => url)).toEqual(['/settings/security', '/settings/security'])
})
