import { brandName } from '../../../web/brand/brand.ts'
import { expect, test } from 'vitest'
import { appName } from '../../../web/contract/name.ts'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { fingerprint } from '../../domain/logins/make-login.ts'
import { linkIn } from '../../testing/mails.ts'
import { ann, behindProxy, bob, from, logIn, registered } from '../../testing/people.ts'
import {
  addKeys,
  allJobs,
  allLogins,
  allNotifications,
  allThrottles,
  allUsers,
  countKeys,
  keepEmail,
  keepHash,
  loseUsers,
  refuseNotifications,
  turnOffTwoFactor,
  turnOnTwoFactor,
  verifyEmails,
  waitingLogins,
} from '../../testing/database/rows.ts'
import { sessionOf } from '../../testing/session-of.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import type { NotificationList } from '../../../web/contract/pages.ts'

const again = { password: 'another word', password_confirmation: 'another word' }
const invalid = { email: 'This link is no longer valid. Ask for another.' }

/** Requests a mailed link, and returns the fields of the form it opens. */
async function requestReset(app: TestApp, email = ann.email) {
  await app.browser().post('/forgot-password', { email })
  const link = linkIn(await app.outbox.next())
  return { link, fields: { token: tokenOf(link), email, ...again } }
}

function tokenOf(link: string): string {
  return link.slice('/reset-password/'.length, link.indexOf('?'))
}

/** Returns an app that sends mail, with Ann registered. */
async function withAnn(options = {}): Promise<TestApp> {
  const app = await testApp({ workers: true, ...options })
  await registered(app, ann)
  await app.outbox.next()
  return app
}

test('asking for a link reads the same and pushes the same for any email', async () => {
  const app = await testApp()
  await registered(app, ann)
  const known = await app.browser().post('/forgot-password', { email: ann.email })
  const unknown = await app.browser().post('/forgot-password', { email: bob.email })
  const pushed = (await allJobs(app.db)).slice(1)
  expect([known.url, known.flash]).toEqual(['/forgot-password', { success: flashWords.resetSent }])
  expect([unknown.status, unknown.url, unknown.flash, unknown.errors]).toEqual([
    known.status,
    known.url,
    known.flash,
    known.errors,
  ])
  expect(pushed.map(({ name, payload }) => [name, payload])).toEqual([
    ['ResetMail', JSON.stringify({ email: ann.email })],
    ['ResetMail', JSON.stringify({ email: bob.email })],
  ])
})

test('the link is mailed to the account’s own address, whatever case was typed', async () => {
  const app = await withAnn()
  await app.browser().post('/forgot-password', { email: 'ANN@X.test' })
  const mail = await app.outbox.nextTo(ann.email)
  expect([mail.subject, mail.to]).toEqual([
    `Reset your password for ${brandName}`,
    [{ address: ann.email }],
  ])
})

test('nothing is mailed to an email without an account', async () => {
  const app = await testApp({ workers: true })
  await app.browser().post('/forgot-password', { email: bob.email })
  await expect.poll(() => allJobs(app.db)).toEqual([])
  await app.outbox.none()
})

test('one mail a minute goes to one email, and the answer stays the same', async () => {
  const app = await withAnn()
  const first = await app.browser().post('/forgot-password', { email: ann.email })
  const second = await app.browser().post('/forgot-password', { email: 'Ann@x.test' })
  await app.outbox.next()
  await app.outbox.none()
  expect(second.flash).toEqual(first.flash)
})

test('an address asks five times a minute, and then is told the same but gets no mail', async () => {
  const app = await testApp(behindProxy)
  const emails = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@x.test`)
  const visits = await Promise.all(
    emails.map((email) => app.browser().post('/forgot-password', { email }, from('192.0.2.7'))),
  )
  await app.browser().post('/forgot-password', { email: 'g@x.test' }, from('192.0.2.8'))
  expect(new Set(visits.map(({ flash }) => flash.success))).toEqual(new Set([flashWords.resetSent]))
  expect(await allJobs(app.db)).toHaveLength(6)
})

test('an ask that its address is turned away for leaves the email its mail', async () => {
  const app = await testApp(behindProxy)
  const ask = (email: string, address: string) =>
    app.browser().post('/forgot-password', { email }, from(address))
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => ask(`${name}@x.test`, '192.0.2.7')))
  await ask(ann.email, '192.0.2.7')
  await ask(ann.email, '192.0.2.8')
  const jobs = (await allJobs(app.db)).slice(5)
  expect(jobs.map(({ payload }) => payload)).toEqual([JSON.stringify({ email: ann.email })])
})

test('the asks of an IPv6 address are counted by its /64', async () => {
  const app = await testApp(behindProxy)
  const ask = (name: string, n: number) =>
    app.browser().post('/forgot-password', { email: `${name}@x.test` }, from(`2001:db8::${n}`))
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(ask))
  expect(await allJobs(app.db)).toHaveLength(5)
})

test('a script that speaks JSON is told the same for any email', async () => {
  const app = await testApp()
  await registered(app, ann)
  const ask = (email: string) => app.browser().postJson('/forgot-password', { email })
  const visits = [await ask(ann.email), await ask(bob.email), await ask(ann.email)]
  expect(visits.map(({ status, json, headers }) => [status, json, headers['retry-after']])).toEqual(
    visits.map(() => [200, { redirect: '/forgot-password' }, undefined]),
  )
})

test('no throttle keeps an email', async () => {
  const app = await testApp()
  await app.browser().post('/forgot-password', { email: ann.email })
  const kept = JSON.stringify(await allThrottles(app.db))
  expect(kept).not.toContain('ann@')
})

test('the link opens a page with its token and email, however often, and is not spent by that', async () => {
  const app = await withAnn()
  const { link, fields } = await requestReset(app)
  const browser = app.browser()
  await browser.get(link)
  const opened = await browser.document(link)
  const set = await browser.post('/reset-password', fields)
  expect(opened.component).toBe('Auth/ResetPassword')
  expect(opened.page.props).toMatchObject({ token: fields.token, email: ann.email })
  expect(set.user?.email).toBe(ann.email)
})

test('a link that is still good opens as such, and one that is over says so before a password is typed', async () => {
  const app = await withAnn()
  const { link, fields } = await requestReset(app)
  const isValid = async (path: string) => (await app.browser().get(path)).page.props['valid']
  const altered = link.replace('?', 'A?')
  const others = link.replace('ann%40', 'bob%40')
  expect([await isValid(link), await isValid(altered), await isValid(others)]).toEqual([
    true,
    false,
    false,
  ])
  await app.pass({ hours: 1 })
  expect(await isValid(link)).toBe(false)
  const { link: another } = await requestReset(app)
  expect(await isValid(another)).toBe(true)
  await app.browser().post('/reset-password', { ...fields, token: tokenOf(another) })
  expect(await isValid(another)).toBe(false)
})

test('a link that is over reads the same for any email', async () => {
  const app = await withAnn()
  const { link } = await requestReset(app)
  const altered = link.replace('?', 'A?')
  const known = await app.browser().get(altered)
  const unknown = await app.browser().get(altered.replace('ann%40', 'bob%40'))
  expect(unknown.body.replaceAll('bob', 'ann')).toBe(known.body)
})

test('of a form whose link was used meanwhile the page says that it is over', async () => {
  const app = await withAnn()
  const { link, fields } = await requestReset(app)
  const browser = app.browser()
  await browser.get(link)
  await app.browser().post('/reset-password', fields)
  const visit = await browser.post('/reset-password', fields)
  expect([visit.url, visit.errors, visit.page.props['valid']]).toEqual([link, invalid, false])
})

test('from a link that is over another is asked for at once, and the page says that it is on its way', async () => {
  const app = await withAnn()
  const { link } = await requestReset(app)
  await app.pass({ hours: 1 })
  const browser = app.browser()
  await browser.get(link)
  const visit = await browser.post('/forgot-password', { email: ann.email })
  expect([visit.url, visit.page.props['sent']]).toMatchObject([
    '/forgot-password',
    { email: ann.email },
  ])
  expect((await browser.get(linkIn(await app.outbox.next()))).page.props['valid']).toBe(true)
})

test('who is logged in is told why a link leads to the dashboard, and nobody is by a look at it', async () => {
  const app = await withAnn()
  const { link } = await requestReset(app)
  const browser = app.browser()
  await logIn(browser, ann)
  await browser.get(link, { headers: { Purpose: 'prefetch' }, stay: true })
  const before = await browser.get('/verify-email')
  const visit = await browser.get(link)
  expect([before.flash, visit.flash]).toEqual([{}, { error: flashWords.resetLoggedIn }])
})

test('the new password logs this browser in, verifies the email and ends every older login', async () => {
  const app = await withAnn()
  const old = app.browser()
  await logIn(old, ann)
  await app.outbox.next()
  const { fields } = await requestReset(app)
  const browser = app.browser()
  const set = await browser.post('/reset-password', fields)
  const ended = await old.get('/verify-email')
  expect([set.url, set.flash.success]).toEqual(['/dashboard', flashWords.passwordSet])
  expect(set.user?.emailVerifiedAt).toBe(app.now().toISOString())
  expect([ended.url, await allLogins(app.db)]).toMatchObject(['/login', [{ userId: 1 }]])
  expect((await logIn(app.browser(), ann)).errors).toEqual({ email: errorWords.wrongLogin })
  expect((await logIn(app.browser(), { ...ann, password: 'another word' })).user?.id).toBe(1)
})

test('a link works once, and no other link of before works either', async () => {
  const app = await withAnn()
  const { fields: earlier } = await requestReset(app)
  await app.pass({ minutes: 1 })
  const { fields } = await requestReset(app)
  await app.browser().post('/reset-password', fields)
  const [spent, older] = await Promise.all(
    [fields, earlier].map((fields) => app.browser().post('/reset-password', fields)),
  )
  expect([spent?.errors, older?.errors]).toEqual([invalid, invalid])
})

test('of twenty that use one link at once, one gets in', async () => {
  const app = await testApp({ workers: true, hashing: 'as served', ...behindProxy })
  await registered(app, ann)
  await app.outbox.next()
  const { fields } = await requestReset(app)
  const visits = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      app.browser().post('/reset-password', fields, from(`192.0.2.${n}`)),
    ),
  )
  expect(visits.filter(({ user }) => user !== null)).toHaveLength(1)
  expect(await allLogins(app.db)).toHaveLength(1)
})

test('a plain form that is sent twice at once leaves the browser logged in', async () => {
  const app = await withAnn({ hashing: 'as served' })
  const { fields } = await requestReset(app)
  const browser = app.browser()
  const send = () => browser.document('/reset-password', fields, { stay: true })
  const visits = await Promise.all([send(), send()])
  expect(visits.filter(({ location }) => location === '/dashboard')).toHaveLength(1)
  expect((await browser.get('/login')).url).toBe('/dashboard')
})

test('a plain form whose second sending comes once the first has set the password leaves the browser logged in', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  const browser = app.browser()
  await browser.document('/reset-password', fields, { stay: true })
  const second = app.browser()
  const visit = await second.document('/reset-password', fields, { stay: true })
  expect([visit.status, [...second.cookies.keys()]]).toEqual([303, [`${appName}_form`]])
  await app.pass({ minutes: 1 })
  const later = await second.document('/reset-password', fields)
  expect(later.page.props.errors).toEqual(invalid)
})

test('a link ends after an hour', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  await app.pass({ minutes: 59, seconds: 59 })
  const altered = await app
    .browser()
    .post('/reset-password', { ...fields, token: `${fields.token}A` })
  await app.pass({ seconds: 1 })
  const late = await app.browser().post('/reset-password', fields)
  expect([altered.errors, late.errors]).toEqual([invalid, invalid])
})

test('up to the last second of the hour a link is good', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  await app.pass({ minutes: 59, seconds: 59 })
  const { errors, user } = await app.browser().post('/reset-password', fields)
  expect([errors, user?.name]).toEqual([{}, 'Ann'])
})

test('a link is no good once the email is another one', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  await keepEmail(app.db, 1, 'ann.b@x.test')
  const visit = await app.browser().post('/reset-password', { ...fields, email: 'ann.b@x.test' })
  expect(visit.errors).toEqual(invalid)
})

test('a link is good still once the email is the same in another case', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  await logIn(app.browser(), ann)
  const browser = app.browser()
  await logIn(browser, ann)
  await browser.post('/settings/profile', { _method: 'PATCH', name: 'Ann', email: 'ANN@x.test' })
  const { errors, user } = await app.browser().post('/reset-password', fields)
  expect([errors, user?.email]).toEqual([{}, 'ANN@x.test'])
})

test('a link whose email is written with what no email has is no good', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  for (const email of ['a\0nn@x.test', `a\0${'n'.repeat(600)}@x.test`]) {
    const query = new URLSearchParams({ email })
    const opened = await app.browser().get(`/reset-password/${fields.token}?${query}`)
    const sent = await app.browser().post('/reset-password', { ...fields, email })
    expect([opened.status, opened.page.props.valid, sent.errors]).toEqual([200, false, invalid])
  }
})

test('a link is no good once the password is kept under another hash', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  await keepHash(app.db, await app.passwords.hashPassword(ann.password, '192.0.2.1'))
  const visit = await app.browser().post('/reset-password', fields)
  expect(visit.errors).toEqual(invalid)
})

test('a link of an account that is gone is no good for the next one with its email', async () => {
  const app = await withAnn()
  await keepHash(app.db, '')
  const { fields } = await requestReset(app)
  await loseUsers(app.db)
  await registered(app, ann)
  await keepHash(app.db, '')
  const visit = await app.browser().post('/reset-password', fields)
  expect(visit.errors).toEqual(invalid)
})

test('a link that is no good has nothing hashed, whether or not the email has an account', async () => {
  const app = await withAnn()
  const token = `zzzzzz.${'A'.repeat(22)}`
  const waiting = Array.from({ length: 6 }, () =>
    app.passwords.hashPassword(ann.password, '127.0.0.1'),
  )
  const visits = await Promise.all(
    [ann.email, bob.email].map((email) =>
      app.browser().post('/reset-password', { token, email, ...again }),
    ),
  )
  await Promise.all(waiting)
  expect(visits.map(({ errors }) => errors)).toEqual([invalid, invalid])
})

test('a script that speaks JSON sets the password, and is told that a link is no good', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  const browser = app.browser()
  const set = await browser.postJson('/reset-password', fields)
  const spent = await app.browser().postJson('/reset-password', fields)
  expect([set.status, set.json]).toEqual([200, { redirect: '/dashboard' }])
  expect((await browser.get('/dashboard')).user?.id).toBe(1)
  expect([spent.status, spent.json]).toMatchObject([422, { errors: invalid }])
})

test('the link is good for an email with a plus and an ampersand in it', async () => {
  const app = await testApp({ workers: true })
  const email = 'ann+a&b=c%20@x.test'
  await registered(app, { ...ann, email })
  await app.outbox.next()
  const { link } = await requestReset(app, email)
  expect((await app.browser().get(link)).page.props['email']).toBe(email)
})

test('a link is no good for another email, and an unknown email reads the same', async () => {
  const app = await withAnn()
  await registered(app, bob)
  await app.outbox.next()
  const { fields } = await requestReset(app)
  const [other, unknown] = await Promise.all(
    [bob.email, 'nobody@x.test'].map((email) =>
      app.browser().post('/reset-password', { ...fields, email }),
    ),
  )
  expect([other?.errors, unknown?.errors]).toEqual([invalid, invalid])
})

test('a login that takes a code waits for it after a reset, and the email is verified', async () => {
  const app = await withAnn()
  await turnOnTwoFactor(app.db)
  const { fields } = await requestReset(app)
  const browser = app.browser()
  const set = await browser.post('/reset-password', fields, { stay: true })
  const [user] = await allUsers(app.db)
  expect([set.location, await allLogins(app.db)]).toEqual(['/two-factor-challenge', []])
  expect([user?.emailVerifiedAt, user?.twoFactorSecret]).toEqual([app.now(), 'sealed'])
  expect((await browser.get('/login')).user).toBeNull()
  expect((await waitingLogins(app.db)).map(({ value }) => JSON.parse(value))).toEqual([
    {
      userId: 1,
      fingerprint: fingerprint(user?.passwordHash ?? ''),
      remember: false,
      tells: false,
    },
  ])
})

test('an account whose email was not verified loses its passkeys and tokens, a verified one keeps them', async () => {
  const app = await withAnn()
  await addKeys(app.db, app.now())
  const { fields: first } = await requestReset(app)
  await app.browser().post('/reset-password', first)
  // The notice of the reset.
  await app.outbox.next()
  const lost = await countKeys(app.db)
  await addKeys(app.db, app.now())
  await app.pass({ minutes: 1 })
  const { fields: second } = await requestReset(app)
  const { user } = await app.browser().post('/reset-password', second)
  expect([lost, user?.name, await countKeys(app.db)]).toEqual([
    { passkeys: 0, tokens: 0 },
    'Ann',
    { passkeys: 1, tokens: 1 },
  ])
})

test('who has passkeys and no password sets one by a link, and keeps them', async () => {
  const app = await withAnn()
  await verifyEmails(app.db, app.now())
  await keepHash(app.db, '')
  await addKeys(app.db, app.now())
  const { fields } = await requestReset(app)
  const { flash, user } = await app.browser().post('/reset-password', fields)
  const loggedIn = await logIn(app.browser(), { ...ann, password: again.password })
  expect([flash.success, user?.name, loggedIn.user?.name]).toEqual([
    flashWords.passwordSet,
    'Ann',
    'Ann',
  ])
  expect(await countKeys(app.db)).toEqual({ passkeys: 1, tokens: 1 })
})

test('mail, notification and page tell whether passkeys and tokens stay or are removed', async () => {
  const app = await withAnn()
  await addKeys(app.db, app.now())
  await keepHash(app.db, '')
  const { fields: first } = await requestReset(app)
  const removed = await app.browser().post('/reset-password', first)
  const mailed = await app.outbox.next()
  await addKeys(app.db, app.now())
  await app.pass({ minutes: 1 })
  const { fields: second } = await requestReset(app)
  const browser = app.browser()
  const kept = await browser.post('/reset-password', second)
  const mailedThen = await app.outbox.next()
  const { page } = await browser.get('/notifications')
  const [newer, older] = (page.props['notifications'] as NotificationList).data
  expect([removed.flash.success, kept.flash.success]).toEqual([
    flashWords.passwordSetKeysRemoved,
    flashWords.passwordSet,
  ])
  expect(mailed.text).toContain('Its passkeys and API tokens were removed')
  expect(mailed.text).not.toContain('stay')
  expect(mailedThen.text).toContain('Its passkeys and API tokens, if it has any, stay as they are.')
  expect(older?.text).toBe(
    'A password was set for your account, and your passkeys and API tokens were removed',
  )
  expect(newer?.text).toBe('Your password was changed')
})

test('a reset of an account that had no passkeys or tokens tells of none that were removed', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  const { flash } = await app.browser().post('/reset-password', fields)
  const { text } = await app.outbox.next()
  expect(flash.success).toBe(flashWords.passwordSet)
  expect(text).not.toContain('removed')
})

test('an account without a password is mailed a link to set one', async () => {
  const app = await withAnn()
  await keepHash(app.db, '')
  await app.browser().post('/forgot-password', { email: ann.email })
  const mail = await app.outbox.next()
  expect(mail.subject).toBe(`Set a password for ${brandName}`)
})

test('a reset is told of as a new password, and that of an account without one as its first', async () => {
  const app = await withAnn()
  const { fields: first } = await requestReset(app)
  await app.browser().post('/reset-password', first)
  await app.outbox.next()
  await keepHash(app.db, '')
  await app.pass({ minutes: 1 })
  const { fields: second } = await requestReset(app)
  await app.browser().post('/reset-password', second)
  const kinds = (await allNotifications(app.db)).map(({ kind }) => kind)
  expect(kinds).toEqual(['password-changed', 'password-set'])
})

test('a reset whose notification cannot be kept changes nothing', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  const [users, logins] = [await allUsers(app.db), await allLogins(app.db)]
  await refuseNotifications(app.db)
  const visit = await app.browser().post('/reset-password', fields)
  expect(visit.status).toBe(500)
  expect([await allUsers(app.db), await allLogins(app.db)]).toEqual([users, logins])
})

test('a link of before does not revive when the password is removed again', async () => {
  const app = await withAnn()
  await keepHash(app.db, '')
  const { fields } = await requestReset(app)
  await app.browser().post('/reset-password', fields)
  await keepHash(app.db, '')
  const revived = await app.browser().post('/reset-password', fields)
  expect(revived.errors).toEqual(invalid)
})

test('a logged-in user goes to the dashboard, even from a reset link', async () => {
  const app = await testApp()
  const browser = await registered(app, ann)
  const visits = [
    await browser.get('/reset-password/a.b?email=ann@x.test', { stay: true }),
    await browser.post('/reset-password', { token: 'a.b', email: ann.email }, { stay: true }),
    await browser.post('/forgot-password', { email: ann.email }, { stay: true }),
  ]
  expect(visits.map(({ location }) => location)).toEqual(visits.map(() => '/dashboard'))
  expect(await allJobs(app.db)).toHaveLength(1)
})

test('the new password is asked for as registering does', async () => {
  const app = await testApp()
  const short = { token: 'a.b', email: ann.email, password: '1234567', password_confirmation: 'x' }
  const visit = await app.browser().post('/reset-password', short)
  expect(visit.errors).toEqual({
    password: errorWords.passwordShort,
    password_confirmation: errorWords.passwordMismatch,
  })
})

test('login of an account that asks for a code holds for ten minutes, and logs nobody in', async () => {
  const app = await testApp()
  await registered(app, ann)
  await turnOnTwoFactor(app.db)
  const browser = app.browser()
  const fields = { email: ann.email, password: ann.password, remember: 'on' }
  const held = await browser.post('/login', fields, { stay: true })
  const another = await app.browser().post('/login', fields, { stay: true })
  const [user] = await allUsers(app.db)
  const [row, other] = await waitingLogins(app.db)
  expect([held.location, another.location]).toEqual(['/two-factor-challenge', held.location])
  expect((await browser.get('/login')).user).toBeNull()
  expect(row?.endsAt).toEqual(new Date(app.now().getTime() + 10 * 60_000))
  expect(row?.key).toMatch(/^waiting-login:[a-z2-7]{26}$/)
  expect(other?.key).not.toBe(row?.key)
  expect(JSON.parse(row?.value ?? '')).toEqual({
    userId: 1,
    fingerprint: fingerprint(user?.passwordHash ?? ''),
    remember: true,
    tells: true,
  })
})

test('a login that waits for its code knows where it was going, and nothing else of before', async () => {
  const app = await testApp()
  await registered(app, ann)
  await turnOnTwoFactor(app.db)
  const browser = app.browser()
  await browser.get('/verify-email?from=mail')
  await logIn(browser, { ...ann, password: 'wrong word' }, { stay: true })
  await logIn(browser, ann, { stay: true })
  const [row] = await waitingLogins(app.db)
  const waiting = row?.key.replace('waiting-login:', '')
  expect(sessionOf(app, browser)).toEqual({ waiting, wanted: '/verify-email?from=mail' })
})

test('a reset goes on to the page that the guest was on the way to', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  const browser = app.browser()
  await browser.get('/verify-email?from=mail')
  const set = await browser.post('/reset-password', fields, { stay: true })
  expect(set.location).toBe('/verify-email?from=mail')
})

test('a reset forgets a login that waited for its code', async () => {
  const app = await withAnn()
  const browser = app.browser()
  await turnOnTwoFactor(app.db)
  await logIn(browser, ann)
  await turnOffTwoFactor(app.db)
  const { fields } = await requestReset(app)
  await browser.post('/reset-password', fields, { stay: true })
  const { login, confirmedAt, waiting } = sessionOf(app, browser)
  expect(login).toMatchObject({ userId: 1, remember: false })
  expect([confirmedAt, waiting]).toEqual([app.now().getTime(), undefined])
})
