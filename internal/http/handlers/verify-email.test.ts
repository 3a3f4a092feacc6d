import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { words } from '../../../web/contract/words.ts'
import { sendVerification } from '../../domain/accounts/verify.ts'
import { linkIn } from '../../testing/mails.ts'
import { ann, bob, logIn, registered } from '../../testing/people.ts'
import { allJobs, allUsers, verifyEmails } from '../../testing/rows.ts'
import { testApp } from '../../testing/test-app.ts'

test('GET /verify-email asks a user to verify the email it names', async () => {
  const app = await testApp()
  const browser = await registered(app, ann)
  const visit = await browser.get('/verify-email')
  expect([visit.status, visit.component]).toEqual([200, 'Auth/VerifyEmail'])
  expect(visit.page.props['email']).toBe('ann@x.test')
})

test('a guest on the way to the verify page logs in first and returns to it', async () => {
  const app = await testApp()
  await registered(app, ann)
  const browser = app.browser()
  const turned = await browser.get('/verify-email?from=mail')
  const back = await logIn(browser, ann)
  expect([turned.url, turned.component]).toEqual(['/login', 'Auth/Login'])
  expect([back.url, back.component]).toEqual(['/verify-email?from=mail', 'Auth/VerifyEmail'])
})

test('a user whose email is verified goes from the verify page to the dashboard', async () => {
  const app = await testApp()
  const browser = await registered(app, ann)
  await verifyEmails(app.db, app.now())
  const visit = await browser.get('/verify-email', { stay: true })
  expect([visit.status, visit.location]).toEqual([303, '/dashboard'])
})

const link = { workers: true }

test('registering mails a link to the email, and following it verifies the email', async () => {
  const app = await testApp(link)
  const browser = await registered(app, ann)
  const mail = await app.outbox.nextTo(ann.email)
  const visit = await browser.get(linkIn(mail))
  expect(mail.subject).toBe('Verify your email for app')
  expect([visit.url, visit.flash.success]).toEqual(['/dashboard', words.flash.verified])
  expect(visit.user?.emailVerifiedAt).toBe(app.now().toISOString())
})

test('a guest who follows the link is told at the login page, and goes on to the dashboard', async () => {
  const app = await testApp(link)
  await registered(app, ann)
  const guest = app.browser()
  const visit = await guest.document(linkIn(await app.outbox.next()))
  const back = await logIn(guest, ann)
  expect([visit.url, visit.flash.success]).toEqual(['/login', words.flash.verified])
  expect(back.url).toBe('/dashboard')
})

test('the link may be opened twice, and stays good for a day', async () => {
  const app = await testApp(link)
  const browser = await registered(app, ann)
  const path = linkIn(await app.outbox.next())
  const scanner = await app.browser().document(path, undefined, { stay: true })
  app.pass({ hours: 1 })
  const second = await browser.get(path)
  expect([scanner.location, second.url, second.flash.success]).toEqual([
    '/dashboard',
    '/dashboard',
    words.flash.verified,
  ])
})

test('a link that expired verifies nothing and says that another should be sent', async () => {
  const app = await testApp(link)
  await registered(app, ann)
  const path = linkIn(await app.outbox.next())
  app.pass({ days: 1 })
  const browser = app.browser()
  await logIn(browser, ann)
  const visit = await browser.get(path)
  expect([visit.url, visit.flash.error]).toEqual(['/verify-email', words.flash.linkExpired])
  expect((await allUsers(app.db))[0]?.emailVerifiedAt).toBeNull()
})

test('an altered link, one of another user and one of nobody verify nothing', async () => {
  const app = await testApp(link)
  const browser = await registered(app, ann)
  const path = linkIn(await app.outbox.next())
  await registered(app, bob)
  const paths = [
    `${path}A`,
    path.replace('/1/', '/2/'),
    path.replace('/1/', '/01/'),
    '/verify-email/x/y',
  ]
  const told = await Promise.all(
    paths.map(async (path) => (await app.browser().document(path)).flash.error),
  )
  expect(new Set(told)).toEqual(new Set([words.flash.linkExpired]))
  expect((await browser.get('/verify-email')).component).toBe('Auth/VerifyEmail')
})

test('a HEAD and a prefetch of the link verify nothing', async () => {
  const app = await testApp(link)
  await registered(app, ann)
  const path = linkIn(await app.outbox.next())
  const head = await app.browser().send('HEAD', path)
  const prefetch = await app.browser().get(path, { headers: { Purpose: 'prefetch' }, stay: true })
  expect([head.status, prefetch.status]).toEqual([303, 303])
  expect((await allUsers(app.db))[0]?.emailVerifiedAt).toBeNull()
})

test('a link signed with a previous key holds, and one of a key that is dropped does not', async () => {
  const key = randomBytes(32)
  const app = await testApp({ ...link, config: { keys: [key] } })
  await registered(app, ann)
  const path = linkIn(await app.outbox.next())
  const { databasePath } = app.config
  const dropped = await testApp({ config: { keys: [randomBytes(32)], databasePath } })
  const rotated = await testApp({ config: { keys: [randomBytes(32), key], databasePath } })
  const refused = await dropped.browser().document(path, undefined, { stay: true })
  const followed = await rotated.browser().document(path, undefined, { stay: true })
  expect([refused.location, followed.location]).toEqual(['/verify-email', '/dashboard'])
})

test('the link is sent again at most once a minute, and goes back to the page that asked', async () => {
  const app = await testApp(link)
  const browser = await registered(app, ann)
  await app.outbox.next()
  await browser.get('/verify-email')
  const first = await browser.post('/verify-email')
  const second = await browser.post('/verify-email')
  app.pass({ minutes: 1 })
  const third = await browser.post('/verify-email')
  expect([first.url, first.flash.success]).toEqual(['/verify-email', words.flash.linkSent])
  expect(second.errors).toEqual({ email: 'Too many tries. Try again in 60 seconds.' })
  expect(third.flash.success).toBe(words.flash.linkSent)
  await app.outbox.next()
  await app.outbox.next()
  await app.outbox.none()
})

test('no link is mailed to a user who has verified the email since', async () => {
  const app = await testApp()
  await registered(app, ann)
  await verifyEmails(app.db, app.now())
  await sendVerification(app, { userId: 1, email: ann.email })
  await app.outbox.none()
})

test('no link is mailed to an email that is no longer the account’s', async () => {
  const app = await testApp()
  await registered(app, ann)
  await sendVerification(app, { userId: 1, email: 'old@x.test' })
  await app.outbox.none()
})

test('a verify mail that fails is sent again', async () => {
  const app = await testApp(link)
  app.outbox.failNext()
  await registered(app, ann)
  await expect.poll(async () => (await allJobs(app.db)).map(({ tries }) => tries)).toEqual([1])
  app.pass({ minutes: 5 })
  expect((await app.outbox.nextTo(ann.email)).subject).toBe('Verify your email for app')
})
