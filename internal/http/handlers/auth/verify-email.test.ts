import { brandName } from '../../../../web/brand/brand.ts'
import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { tryAgainIn } from '#words/errors'
import { flashWords } from '#words/flash'
import { sendVerification } from '../../../domain/accounts/verify.ts'
import { linkIn } from '../../../testing/mails.ts'
import { ann, bob, logIn, registeredBrowser } from '../../../testing/people.ts'
import { allBroadcasts, dropBroadcasts } from '../../../testing/database/broadcast-rows.ts'
import {
  allJobs,
  allUsers,
  setEmailOf,
  deleteUsers,
  verifyEmails,
} from '../../../testing/database/rows.ts'
import { testApp } from '../../../testing/test-app.ts'
import type { Browser } from '../../../testing/browser.ts'

test('GET /verify-email shows the verify page with the user’s email', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const visit = await browser.get('/verify-email')
  expect([visit.status, visit.component]).toEqual([200, 'Auth/VerifyEmail'])
  expect(visit.page.props['email']).toBe('ann@x.test')
})

test('a guest who opens the verify page logs in first and returns to it', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const browser = app.browser()
  const turned = await browser.get('/verify-email?from=mail')
  const back = await logIn(browser, ann)
  expect([turned.url, turned.component]).toEqual(['/login', 'Auth/Login'])
  expect([back.url, back.component]).toEqual(['/verify-email?from=mail', 'Auth/VerifyEmail'])
})

test('a verified user who opens the verify page goes to the dashboard', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await verifyEmails(app.db, app.now())
  const visit = await browser.get('/verify-email', { stay: true })
  expect([visit.status, visit.location]).toEqual([303, '/dashboard'])
})

const link = { workers: true }

test('registering mails a verification link to the email, and following it verifies the email', async () => {
  const app = await testApp(link)
  const browser = await registeredBrowser(app, ann)
  const mail = await app.outbox.nextTo(ann.email)
  const visit = await browser.get(linkIn(mail))
  expect(mail.subject).toBe(`Verify your email for ${brandName}`)
  expect([visit.url, visit.flash.success]).toEqual(['/dashboard', flashWords.verified])
  expect(visit.user?.emailVerifiedAt).toBe(app.now().toISOString())
})

test('the verification link to an email typed with decomposed accents is mailed to its composed form', async () => {
  const app = await testApp(link)
  await registeredBrowser(app, { ...ann, email: 'zoe\u0308@x.test' })
  expect((await app.outbox.next()).to).toEqual([{ address: 'zo\u00eb@x.test' }])
})

test('a guest who follows the verification link sees a message on the login page and goes on to the dashboard', async () => {
  const app = await testApp(link)
  await registeredBrowser(app, ann)
  const guest = app.browser()
  const visit = await guest.document(linkIn(await app.outbox.next()))
  const back = await logIn(guest, ann)
  expect([visit.url, visit.flash.success]).toEqual(['/login', flashWords.verified])
  expect(back.url).toBe('/dashboard')
})

test('following the verification link publishes an event to its user, the first time only', async () => {
  const app = await testApp(link)
  await registeredBrowser(app, ann)
  await registeredBrowser(app, bob)
  const paths = [
    linkIn(await app.outbox.nextTo(ann.email)),
    linkIn(await app.outbox.nextTo(bob.email)),
  ]
  await Promise.all(
    paths.flatMap((path) => [path, path]).map((path) => app.browser().document(path)),
  )
  await app.browser().document(`${paths[0]}`)
  await app.browser().document(`${paths[0]}A`)
  const broadcasts = (await allBroadcasts(app.db)).map(
    ({ channel, event }) => `${channel} ${event}`,
  )
  expect(broadcasts.toSorted()).toEqual(['users.1 verified', 'users.2 verified'])
})

test('an email is not verified when its event cannot be published', async () => {
  const app = await testApp(link)
  await registeredBrowser(app, ann)
  const path = linkIn(await app.outbox.next())
  await dropBroadcasts(app.db)
  const visit = await app.browser().get(path)
  expect([visit.status, await allUsers(app.db)]).toMatchObject([500, [{ emailVerifiedAt: null }]])
})

test('a user who follows a verification link of another account verifies that account only, and the message says so', async () => {
  const app = await testApp(link)
  await registeredBrowser(app, ann)
  const path = linkIn(await app.outbox.next())
  const bobs = await registeredBrowser(app, bob)
  const visit = await bobs.get(path)
  expect([visit.url, visit.flash, visit.user?.emailVerifiedAt]).toEqual([
    '/verify-email',
    { success: flashWords.otherVerified },
    null,
  ])
  expect(await allUsers(app.db)).toMatchObject([
    { emailVerifiedAt: app.now() },
    { emailVerifiedAt: null },
  ])
})

test('the verification link can be opened twice and is valid for a day', async () => {
  const app = await testApp(link)
  await registeredBrowser(app, ann)
  const path = linkIn(await app.outbox.next())
  const scanner = await app.browser().document(path, undefined, { stay: true })
  await app.pass({ hours: 23, minutes: 59, seconds: 59 })
  const second = await app.browser().document(path)
  expect(scanner.location).toBe('/dashboard')
  expect([second.url, second.flash.success]).toEqual(['/login', flashWords.verified])
})

test('an expired verification link verifies nothing and leads to the verify page with an error', async () => {
  const app = await testApp(link)
  await registeredBrowser(app, ann)
  const path = linkIn(await app.outbox.next())
  await app.pass({ days: 1 })
  const browser = app.browser()
  await logIn(browser, ann)
  const visit = await browser.get(path)
  expect([visit.url, visit.flash.error]).toEqual(['/verify-email', flashWords.linkExpired])
  expect((await allUsers(app.db))[0]?.emailVerifiedAt).toBeNull()
})

test('an expired verification link sends a guest to log in with an error, and then to the verify page', async () => {
  const app = await testApp(link)
  await registeredBrowser(app, ann)
  const path = linkIn(await app.outbox.next())
  await app.pass({ days: 1 })
  const guest = app.browser()
  const visit = await guest.document(path)
  const back = await logIn(guest, ann)
  expect([visit.url, visit.flash]).toEqual(['/login', { error: flashWords.linkExpiredLogIn }])
  expect([back.url, back.flash]).toEqual(['/verify-email', {}])
})

test('a verified user who follows an invalid verification link sees that no other link is needed', async () => {
  const app = await testApp(link)
  const browser = await registeredBrowser(app, ann)
  const path = linkIn(await app.outbox.next())
  await verifyEmails(app.db, app.now())
  const visit = await browser.get(`${path}A`)
  expect([visit.url, visit.flash]).toEqual([
    '/dashboard',
    { error: flashWords.linkExpiredVerified },
  ])
})

test('an altered verification link, one with another user’s ID and a malformed one verify nothing', async () => {
  const app = await testApp(link)
  const browser = await registeredBrowser(app, ann)
  const path = linkIn(await app.outbox.next())
  await registeredBrowser(app, bob)
  const paths = [
    `${path}A`,
    path.replace('/1/', '/2/'),
    path.replace('/1/', '/01/'),
    '/verify-email/x/y',
  ]
  const errors = await Promise.all(
    paths.map(async (path) => (await app.browser().document(path)).flash.error),
  )
  expect(new Set(errors)).toEqual(new Set([flashWords.linkExpiredLogIn]))
  expect((await browser.get('/verify-email')).component).toBe('Auth/VerifyEmail')
})

test('a verification link is invalid once the account has another email', async () => {
  const app = await testApp(link)
  await registeredBrowser(app, ann)
  const path = linkIn(await app.outbox.next())
  await setEmailOf(app.db, 1, 'ann.b@x.test')
  const visit = await app.browser().document(path)
  expect(visit.flash.error).toBe(flashWords.linkExpiredLogIn)
  expect((await allUsers(app.db))[0]?.emailVerifiedAt).toBeNull()
})

test('a verification link of a deleted account does not verify the next account with its email', async () => {
  const app = await testApp(link)
  await registeredBrowser(app, ann)
  const path = linkIn(await app.outbox.next())
  await deleteUsers(app.db)
  await registeredBrowser(app, ann)
  const visit = await app.browser().document(path.replace('/1/', '/2/'))
  expect(visit.flash.error).toBe(flashWords.linkExpiredLogIn)
  expect(await allUsers(app.db)).toMatchObject([{ id: 2, emailVerifiedAt: null }])
})

test('a HEAD request and a prefetch of the verification link verify nothing', async () => {
  const app = await testApp(link)
  await registeredBrowser(app, ann)
  const path = linkIn(await app.outbox.next())
  const head = await app.browser().send('HEAD', path)
  const prefetch = await app.browser().get(path, { headers: { Purpose: 'prefetch' }, stay: true })
  expect([head.status, prefetch.status]).toEqual([303, 303])
  expect((await allUsers(app.db))[0]?.emailVerifiedAt).toBeNull()
})

test('a verification link signed with a previous key is valid, and one signed with a dropped key is not', async () => {
  const key = randomBytes(32)
  const app = await testApp({ ...link, config: { keys: [key] } })
  await registeredBrowser(app, ann)
  const path = linkIn(await app.outbox.next())
  const { database } = app.config
  const dropped = await testApp({ config: { keys: [randomBytes(32)], database } })
  const rotated = await testApp({ config: { keys: [randomBytes(32), key], database } })
  const refused = await dropped.browser().document(path, undefined, { stay: true })
  const followed = await rotated.browser().document(path, undefined, { stay: true })
  expect([refused.location, followed.location]).toEqual(['/verify-email', '/dashboard'])
})

test('the verification link is sent again at most once a minute, and the form leads back to its page', async () => {
  const app = await testApp(link)
  const browser = await registeredBrowser(app, ann)
  await app.outbox.next()
  await browser.get('/verify-email')
  const first = await browser.post('/verify-email')
  const second = await browser.post('/verify-email')
  await app.pass({ minutes: 1 })
  const third = await browser.post('/verify-email')
  expect([first.url, first.flash.success]).toEqual(['/verify-email', flashWords.linkSent])
  expect(second.errors).toEqual({ email: 'Too many tries. Try again in 60 seconds.' })
  expect(third.flash.success).toBe(flashWords.linkSent)
  await app.outbox.next()
  await app.outbox.expectNone()
  await app.pass({ minutes: 1 })
  await app.outbox.next()
  await app.outbox.expectNone()
})

async function changeEmail(browser: Browser, email: string): Promise<void> {
  await browser.post('/settings/profile', { _method: 'PATCH', name: ann.name, email })
}

test('a verification link requested within a minute of the last mail is mailed when the minute is over', async () => {
  const app = await testApp(link)
  const browser = await registeredBrowser(app, ann)
  await app.outbox.next()
  await app.pass({ seconds: 20 })
  const visit = await browser.post('/verify-email')
  await app.pass({ seconds: 39 })
  await app.outbox.expectNone()
  await app.pass({ seconds: 1 })
  const mail = await app.outbox.next()
  expect(visit.flash.success).toBe(flashWords.linkSent)
  expect((await browser.get(linkIn(mail))).flash.success).toBe(flashWords.verified)
})

test('a verification link that waits for the end of its minute is mailed, even if another user requests one meanwhile', async () => {
  const app = await testApp(link)
  const [anns, bobs] = [await registeredBrowser(app, ann), await registeredBrowser(app, bob)]
  await app.outbox.nextTo(ann.email)
  await app.outbox.nextTo(bob.email)
  await anns.post('/verify-email')
  await bobs.post('/verify-email')
  await app.pass({ minutes: 1 })
  await app.outbox.nextTo(bob.email)
  await app.outbox.nextTo(ann.email)
})

test('of the verification links for several changes of the email within a minute, the last one is mailed', async () => {
  const app = await testApp(link)
  const browser = await registeredBrowser(app, ann)
  await app.outbox.next()
  await changeEmail(browser, 'b@x.test')
  await app.outbox.nextTo(ann.email)
  await app.pass({ seconds: 30 })
  await changeEmail(browser, 'c@x.test')
  await changeEmail(browser, 'd@x.test')
  await app.pass({ seconds: 30 })
  const first = await app.outbox.nextTo('d@x.test')
  await changeEmail(browser, 'e@x.test')
  await app.pass({ seconds: 59 })
  const early = app.outbox.mails.filter(({ subject }) => subject === first.subject)
  await app.pass({ seconds: 1 })
  const second = await app.outbox.nextTo('e@x.test')
  expect(early.map(({ to }) => to[0]?.address)).toEqual([ann.email, 'd@x.test'])
  expect((await browser.get(linkIn(second))).flash.success).toBe(flashWords.verified)
})

test('one verification link a minute is mailed to an email, whichever account has it', async () => {
  const app = await testApp(link)
  const browser = await registeredBrowser(app, ann)
  await app.outbox.next()
  await browser.post('/settings/profile', { _method: 'DELETE', password: ann.password })
  await registeredBrowser(app, ann)
  await app.outbox.expectNone()
  await app.pass({ minutes: 1 })
  expect(linkIn(await app.outbox.nextTo(ann.email))).toMatch(/^\/verify-email\/2\//)
})

test('a clock that was set back delays a verification link by a minute at most', async () => {
  const app = await testApp(link)
  const browser = await registeredBrowser(app, ann)
  await app.outbox.next()
  await app.pass({ days: -1 })
  // Its login is dated in the future, and so has ended.
  await logIn(browser, ann)
  await browser.post('/verify-email')
  await app.pass({ minutes: 1 })
  await app.outbox.nextTo(ann.email)
})

test('a verification link and a reset link can be requested within one minute', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await app.browser().post('/forgot-password', { email: ann.email })
  await browser.post('/verify-email')
  expect((await allJobs(app.db)).map(({ name }) => name)).toEqual([
    'VerifyMail',
    'ResetMail',
    'VerifyMail',
  ])
})

test('a form on another page that sends the verification link leads back to that page, but never to another site', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const sent = (referer: string) =>
    browser.post('/verify-email', {}, { headers: { Referer: referer }, stay: true })
  const own = await sent('http://app.test/?tab=2')
  await app.pass({ minutes: 1 })
  const foreign = await sent('https://evil.test/')
  expect([own.location, foreign.location]).toEqual(['/?tab=2', '/verify-email'])
})

test('a verified user who requests a verification link gets none and goes to the dashboard', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await verifyEmails(app.db, app.now())
  const visit = await browser.post('/verify-email', {}, { stay: true })
  expect([visit.location, await allJobs(app.db)]).toMatchObject(['/dashboard', [{ id: 1 }]])
})

test('a guest who requests a verification link gets none and is sent to log in', async () => {
  const app = await testApp()
  const visit = await app.browser().post('/verify-email', {}, { stay: true })
  expect([visit.location, await allJobs(app.db)]).toEqual(['/login', []])
})

test('a JSON client has the verification link sent, and gets the wait when it asks again too soon', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const sent = await browser.postJson('/verify-email', {})
  const early = await browser.postJson('/verify-email', {})
  expect([sent.status, sent.json]).toEqual([200, { redirect: '/verify-email' }])
  expect([early.status, early.headers['retry-after']]).toEqual([422, '60'])
  expect(early.json).toMatchObject({ errors: { email: tryAgainIn(60) } })
})

const forever = new AbortController().signal

test('no verification link is mailed to a user who has verified the email meanwhile', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await verifyEmails(app.db, app.now())
  await sendVerification(app, { userId: 1, email: ann.email }, forever)
  await app.outbox.expectNone()
})

test('no verification link is mailed to an email that the account no longer has', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await sendVerification(app, { userId: 1, email: 'old@x.test' }, forever)
  await app.outbox.expectNone()
})

test('a verify mail that fails is sent again', async () => {
  const app = await testApp(link)
  app.outbox.failNext()
  await registeredBrowser(app, ann)
  // The next run is scheduled only once this one has failed; the run is counted as it begins.
  await expect.poll(() => app.logLines.some(({ message }) => message === 'job failed')).toBe(true)
  await app.pass({ minutes: 5 })
  expect((await app.outbox.nextTo(ann.email)).subject).toBe(`Verify your email for ${brandName}`)
})
