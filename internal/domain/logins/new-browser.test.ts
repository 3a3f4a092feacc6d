import { expect, test } from 'vitest'
import { linkIn } from '../../testing/mails.ts'
import { ann, behindProxy, bob, from, logIn, registeredBrowser } from '../../testing/people.ts'
import { allBroadcasts } from '../../testing/database/broadcast-rows.ts'
import {
  allBrowsers,
  allJobs,
  allLogins,
  allNotifications,
  allThrottles,
  refuseNotifications,
  turnOnTwoFactor,
  verifyEmails,
  waitingLogins,
} from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0'

async function notificationKinds(app: TestApp): Promise<string[]> {
  return (await allNotifications(app.db)).map(({ kind }) => kind)
}

test('a login from a new browser is stored, published and mailed as a notification', async () => {
  const app = await testApp({ workers: true, ...behindProxy })
  await registeredBrowser(app, ann)
  await app.outbox.next()
  const headers = { ...from('203.0.113.9').headers, 'User-Agent': firefox }
  await logIn(app.browser(), ann, { headers })
  const [notification] = await allNotifications(app.db)
  const mail = await app.outbox.nextTo(ann.email)
  expect(notification).toMatchObject({
    userId: 1,
    kind: 'new-login',
    readAt: null,
    createdAt: app.now(),
  })
  expect(JSON.parse(notification?.data ?? '')).toEqual({
    browser: 'Firefox',
    system: 'Linux',
    address: '203.0.113.9',
  })
  expect(await allBroadcasts(app.db)).toEqual([{ channel: 'users.1', event: 'notification' }])
  expect(mail.subject).toBe('A new login to your account')
  expect(mail.text).toContain(
    'From: Firefox on Linux\nAddress: 203.0.113.9\nWhen: 5 January 2026 at 10:00 UTC\n',
  )
  expect(linkIn(mail)).toBe('/settings/security#logins')
  expect(mail.text).toContain('http://app.test/forgot-password\n')
  await app.outbox.expectNone()
})

test('a known browser is not new at another address', async () => {
  const app = await testApp(behindProxy)
  const browser = await registeredBrowser(app, ann)
  await browser.post('/logout')
  await logIn(browser, ann, from('203.0.113.9'))
  expect(await notificationKinds(app)).toEqual([])
})

test('a browser is new again once the account has not logged in from it for a year', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await app.pass({ days: 364 })
  await logIn(browser, ann)
  const before = await notificationKinds(app)
  await browser.post('/logout')
  await app.pass({ days: 364 })
  await logIn(browser, ann)
  const renewed = await notificationKinds(app)
  await browser.post('/logout')
  await app.pass({ days: 365 })
  await logIn(browser, ann)
  expect([before, renewed, await notificationKinds(app)]).toEqual([[], [], ['new-login']])
})

test('a browser that another account has logged in from is new to an account that has not', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const bobs = await registeredBrowser(app, bob)
  await bobs.post('/logout')
  await logIn(bobs, ann)
  expect(await allNotifications(app.db)).toMatchObject([{ userId: 1, kind: 'new-login' }])
})

test('a browser without its cookie is new', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  browser.cookies.clear()
  await logIn(browser, ann)
  expect(await notificationKinds(app)).toEqual(['new-login'])
})

test('a failed login sends no notification', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await logIn(app.browser(), { ...ann, password: 'wrong word' })
  expect([await notificationKinds(app), await allJobs(app.db)]).toMatchObject([
    [],
    [{ name: 'VerifyMail' }],
  ])
})

test('registration and a reset send no new-login notification, and make their browsers known', async () => {
  const app = await testApp({ workers: true })
  const first = await registeredBrowser(app, ann)
  await app.outbox.next()
  await app.browser().post('/forgot-password', { email: ann.email })
  const link = new URL(linkIn(await app.outbox.next()), 'http://app.test')
  const token = link.pathname.split('/')[2] ?? ''
  const password = 'another word'
  const second = app.browser()
  await second.post('/reset-password', {
    token,
    email: ann.email,
    password,
    password_confirmation: password,
  })
  await Promise.all([first.post('/logout'), second.post('/logout')])
  await logIn(first, { ...ann, password })
  await logIn(second, { ...ann, password })
  expect(await notificationKinds(app)).not.toContain('new-login')
  expect(await allBrowsers(app.db)).toHaveLength(2)
})

test('a login whose notification cannot be stored is not created, and nothing of it is stored', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await refuseNotifications(app.db)
  const counted = await allThrottles(app.db)
  const browser = app.browser()
  const visit = await logIn(browser, ann)
  expect([visit.status, visit.user]).toEqual([500, null])
  expect(await allLogins(app.db)).toHaveLength(1)
  expect(await allBrowsers(app.db)).toHaveLength(1)
  expect(await allJobs(app.db)).toMatchObject([{ name: 'VerifyMail' }])
  expect(await allBroadcasts(app.db)).toEqual([])
  expect([...browser.cookies.keys()]).toEqual([])
  // The try stays counted, like that of any login that fails.
  expect(await allThrottles(app.db)).toHaveLength(counted.length + 1)
})

test('a login that waits for its code sends no notification yet, and its row records that one is due', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await turnOnTwoFactor(app.db)
  await logIn(app.browser(), ann)
  expect(await notificationKinds(app)).toEqual([])
  expect(JSON.parse((await waitingLogins(app.db))[0]?.value ?? '')).toMatchObject({ tells: true })
})

test('the notification of a new login has the whole IPv6 address', async () => {
  const app = await testApp(behindProxy)
  await registeredBrowser(app, ann)
  await verifyEmails(app.db, app.now())
  await logIn(app.browser(), ann, from('2001:db8:1:2:3:4:5:6'))
  const [notification] = await allNotifications(app.db)
  expect(JSON.parse(notification?.data ?? '')).toMatchObject({ address: '2001:db8:1:2:3:4:5:6' })
})
