import { brandName } from '../../../../web/brand/brand.ts'
import { expect, test } from 'vitest'
import { appName } from '../../../../web/contract/name.ts'
import { errorWords } from '#words/errors'
import { flashWords } from '#words/flash'
import { fingerprint } from '../../../domain/logins/make-login.ts'
import { linkIn } from '../../../testing/mails.ts'
import { ann, behindProxy, bob, from, logIn, registeredBrowser } from '../../../testing/people.ts'
import {
  addPasskeysAndTokens,
  allJobs,
  allLogins,
  allNotifications,
  allThrottles,
  allUsers,
  countPasskeysAndTokens,
  setEmailOf,
  setPasswordHash,
  deleteUsers,
  refuseNotifications,
  turnOffTwoFactor,
  turnOnTwoFactor,
  verifyEmails,
  waitingLogins,
} from '../../../testing/database/rows.ts'
import { sessionOf } from '../../../testing/session-of.ts'
import { testApp, type TestApp } from '../../../testing/test-app.ts'
import type { NotificationList } from '../../../../web/contract/pages.ts'

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
  await registeredBrowser(app, ann)
  await app.outbox.next()
  return app
}

test('a request for a reset link gets the same answer and pushes the same job for any email', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
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

test('the reset link is mailed to the account’s own address, whatever case was typed', async () => {
  const app = await withAnn()
  await app.browser().post('/forgot-password', { email: 'ANN@X.test' })
  const mail = await app.outbox.nextTo(ann.email)
  expect([mail.subject, mail.to]).toEqual([
    `Reset your password for ${brandName}`,
    [{ address: ann.email }],
  ])
})

test('no mail is sent to an email without an account', async () => {
  const app = await testApp({ workers: true })
  await app.browser().post('/forgot-password', { email: bob.email })
  await expect.poll(() => allJobs(app.db)).toEqual([])
  await app.outbox.expectNone()
})

test('one mail a minute is sent to an email, and further requests get the same answer', async () => {
  const app = await withAnn()
  const first = await app.browser().post('/forgot-password', { email: ann.email })
  const second = await app.browser().post('/forgot-password', { email: 'Ann@x.test' })
  await app.outbox.next()
  await app.outbox.expectNone()
  expect(second.flash).toEqual(first.flash)
})

test('an address may request five links a minute, and further requests get the same answer but no mail', async () => {
  const app = await testApp(behindProxy)
  const emails = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}@x.test`)
  const visits = await Promise.all(
    emails.map((email) => app.browser().post('/forgot-password', { email }, from('192.0.2.7'))),
  )
  await app.browser().post('/forgot-password', { email: 'g@x.test' }, from('192.0.2.8'))
  expect(new Set(visits.map(({ flash }) => flash.success))).toEqual(new Set([flashWords.resetSent]))
  expect(await allJobs(app.db)).toHaveLength(6)
})

test('a request refused for its address does not use up the limit of the email', async () => {
  const app = await testApp(behindProxy)
  const ask = (email: string, address: string) =>
    app.browser().post('/forgot-password', { email }, from(address))
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => ask(`${name}@x.test`, '192.0.2.7')))
  await ask(ann.email, '192.0.2.7')
  await ask(ann.email, '192.0.2.8')
  const jobs = (await allJobs(app.db)).slice(5)
  expect(jobs.map(({ payload }) => payload)).toEqual([JSON.stringify({ email: ann.email })])
})

test('requests from IPv6 addresses are counted by their /64', async () => {
  const app = await testApp(behindProxy)
  const ask = (name: string, n: number) =>
    app.browser().post('/forgot-password', { email: `${name}@x.test` }, from(`2001:db8::${n}`))
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(ask))
  expect(await allJobs(app.db)).toHaveLength(5)
})

test('a JSON client gets the same answer for any email', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const ask = (email: string) => app.browser().postJson('/forgot-password', { email })
  const visits = [await ask(ann.email), await ask(bob.email), await ask(ann.email)]
  expect(visits.map(({ status, json, headers }) => [status, json, headers['retry-after']])).toEqual(
    visits.map(() => [200, { redirect: '/forgot-password' }, undefined]),
  )
})

test('no throttle row contains an email', async () => {
  const app = await testApp()
  await app.browser().post('/forgot-password', { email: ann.email })
  const kept = JSON.stringify(await allThrottles(app.db))
  expect(kept).not.toContain('ann@')
})

test('the reset link opens a page with its token and email, any number of times, and stays valid', async () => {
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

test('the page says that a reset link is valid, or that it is altered, expired or used and so is not valid', async () => {
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

test('the page of an invalid reset link is the same for any email', async () => {
  const app = await withAnn()
  const { link } = await requestReset(app)
  const altered = link.replace('?', 'A?')
  const known = await app.browser().get(altered)
  const unknown = await app.browser().get(altered.replace('ann%40', 'bob%40'))
  expect(unknown.body.replaceAll('bob', 'ann')).toBe(known.body)
})

test('a form whose reset link was used meanwhile shows an error, and its page says that the link is not valid', async () => {
  const app = await withAnn()
  const { link, fields } = await requestReset(app)
  const browser = app.browser()
  await browser.get(link)
  await app.browser().post('/reset-password', fields)
  const visit = await browser.post('/reset-password', fields)
  expect([visit.url, visit.errors, visit.page.props['valid']]).toEqual([link, invalid, false])
})

test('another reset link can be requested after an expired one, and the page says that it was sent', async () => {
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

test('a logged-in user who opens a reset link sees why it does not open, and a prefetch stores no such message', async () => {
  const app = await withAnn()
  const { link } = await requestReset(app)
  const browser = app.browser()
  await logIn(browser, ann)
  await browser.get(link, { headers: { Purpose: 'prefetch' }, stay: true })
  const before = await browser.get('/verify-email')
  const visit = await browser.get(link)
  expect([before.flash, visit.flash]).toEqual([{}, { error: flashWords.resetLoggedIn }])
})

test('a reset replaces the password, logs this browser in, verifies the email and ends every older login', async () => {
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

test('a reset link works once, and using it makes the earlier links invalid', async () => {
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

test('of twenty simultaneous uses of one reset link, one logs in', async () => {
  const app = await testApp({ workers: true, hashing: 'as served', ...behindProxy })
  await registeredBrowser(app, ann)
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

test('a plain form sent twice at once leaves the browser logged in', async () => {
  const app = await withAnn({ hashing: 'as served' })
  const { fields } = await requestReset(app)
  const browser = app.browser()
  const send = () => browser.document('/reset-password', fields, { stay: true })
  const visits = await Promise.all([send(), send()])
  expect(visits.filter(({ location }) => location === '/dashboard')).toHaveLength(1)
  expect((await browser.get('/login')).url).toBe('/dashboard')
})

test('a plain form sent again after the reset sets no session cookie and leaves the browser logged in', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  const browser = app.browser()
  await browser.document('/reset-password', fields, { stay: true })
  const second = app.browser()
  const visit = await second.document('/reset-password', fields, { stay: true })
  expect([visit.status, [...second.cookies.keys()]]).toEqual([303, [`${appName}_form`]])
  // The browser gets the second answer, with its only cookie, after the first.
  for (const [name, value] of second.cookies) browser.cookies.set(name, value)
  const next = await browser.document('/login')
  expect([next.url, next.user?.name]).toEqual(['/dashboard', 'Ann'])
  await app.pass({ minutes: 1 })
  const later = await second.document('/reset-password', fields)
  expect(later.page.props.errors).toEqual(invalid)
})

test('an altered reset link and one that is an hour old are refused', async () => {
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

test('a reset link is valid up to the last second of its hour', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  await app.pass({ minutes: 59, seconds: 59 })
  const { errors, user } = await app.browser().post('/reset-password', fields)
  expect([errors, user?.name]).toEqual([{}, 'Ann'])
})

test('a reset link is invalid once the account has another email', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  await setEmailOf(app.db, 1, 'ann.b@x.test')
  const visit = await app.browser().post('/reset-password', { ...fields, email: 'ann.b@x.test' })
  expect(visit.errors).toEqual(invalid)
})

test('a reset link stays valid when only the case of the email changes', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  await logIn(app.browser(), ann)
  const browser = app.browser()
  await logIn(browser, ann)
  await browser.post('/settings/profile', { _method: 'PATCH', name: 'Ann', email: 'ANN@x.test' })
  const { errors, user } = await app.browser().post('/reset-password', fields)
  expect([errors, user?.email]).toEqual([{}, 'ANN@x.test'])
})

test('a reset link with a NUL character in its email is invalid', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  for (const email of ['a\0nn@x.test', `a\0${'n'.repeat(600)}@x.test`]) {
    const query = new URLSearchParams({ email })
    const opened = await app.browser().get(`/reset-password/${fields.token}?${query}`)
    const sent = await app.browser().post('/reset-password', { ...fields, email })
    expect([opened.status, opened.page.props.valid, sent.errors]).toEqual([200, false, invalid])
  }
})

test('a reset link is invalid once the account has another password hash', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  await setPasswordHash(app.db, await app.passwords.hashPassword(ann.password, '192.0.2.1'))
  const visit = await app.browser().post('/reset-password', fields)
  expect(visit.errors).toEqual(invalid)
})

test('a reset link of a deleted account is not valid for the next account with its email', async () => {
  const app = await withAnn()
  await setPasswordHash(app.db, '')
  const { fields } = await requestReset(app)
  await deleteUsers(app.db)
  await registeredBrowser(app, ann)
  await setPasswordHash(app.db, '')
  const visit = await app.browser().post('/reset-password', fields)
  expect(visit.errors).toEqual(invalid)
})

test('an invalid reset link has no password hashed, whether or not the email has an account', async () => {
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

test('a JSON client sets the password, and gets an error for a used reset link', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  const browser = app.browser()
  const set = await browser.postJson('/reset-password', fields)
  const spent = await app.browser().postJson('/reset-password', fields)
  expect([set.status, set.json]).toEqual([200, { redirect: '/dashboard' }])
  expect((await browser.get('/dashboard')).user?.id).toBe(1)
  expect([spent.status, spent.json]).toMatchObject([422, { errors: invalid }])
})

test('a reset link preserves an email with a plus, an ampersand and a percent sign', async () => {
  const app = await testApp({ workers: true })
  const email = 'ann+a&b=c%20@x.test'
  await registeredBrowser(app, { ...ann, email })
  await app.outbox.next()
  const { link } = await requestReset(app, email)
  expect((await app.browser().get(link)).page.props['email']).toBe(email)
})

test('a reset link is refused with the same error for the email of another account and for an unknown email', async () => {
  const app = await withAnn()
  await registeredBrowser(app, bob)
  await app.outbox.next()
  const { fields } = await requestReset(app)
  const [other, unknown] = await Promise.all(
    [bob.email, 'nobody@x.test'].map((email) =>
      app.browser().post('/reset-password', { ...fields, email }),
    ),
  )
  expect([other?.errors, unknown?.errors]).toEqual([invalid, invalid])
})

test('a reset of an account with two-factor login verifies the email, and the login waits for its code', async () => {
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

test('a reset removes the passkeys and tokens of an unverified account and preserves those of a verified one', async () => {
  const app = await withAnn()
  await addPasskeysAndTokens(app.db, app.now())
  const { fields: first } = await requestReset(app)
  await app.browser().post('/reset-password', first)
  // The notice of the reset.
  await app.outbox.next()
  const lost = await countPasskeysAndTokens(app.db)
  await addPasskeysAndTokens(app.db, app.now())
  await app.pass({ minutes: 1 })
  const { fields: second } = await requestReset(app)
  const { user } = await app.browser().post('/reset-password', second)
  expect([lost, user?.name, await countPasskeysAndTokens(app.db)]).toEqual([
    { passkeys: 0, tokens: 0 },
    'Ann',
    { passkeys: 1, tokens: 1 },
  ])
})

test('an account with passkeys but no password sets a password by a reset link, and its passkeys are preserved', async () => {
  const app = await withAnn()
  await verifyEmails(app.db, app.now())
  await setPasswordHash(app.db, '')
  await addPasskeysAndTokens(app.db, app.now())
  const { fields } = await requestReset(app)
  const { flash, user } = await app.browser().post('/reset-password', fields)
  const loggedIn = await logIn(app.browser(), { ...ann, password: again.password })
  expect([flash.success, user?.name, loggedIn.user?.name]).toEqual([
    flashWords.passwordSet,
    'Ann',
    'Ann',
  ])
  expect(await countPasskeysAndTokens(app.db)).toEqual({ passkeys: 1, tokens: 1 })
})

test('the page, the mail and the notification of a reset say whether passkeys and tokens were removed', async () => {
  const app = await withAnn()
  await addPasskeysAndTokens(app.db, app.now())
  await setPasswordHash(app.db, '')
  const { fields: first } = await requestReset(app)
  const removed = await app.browser().post('/reset-password', first)
  const mailed = await app.outbox.next()
  await addPasskeysAndTokens(app.db, app.now())
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

test('a reset of an account without passkeys and tokens mentions no removal', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  const { flash } = await app.browser().post('/reset-password', fields)
  const { text } = await app.outbox.next()
  expect(flash.success).toBe(flashWords.passwordSet)
  expect(text).not.toContain('removed')
})

test('the mail to an account without a password is about setting one', async () => {
  const app = await withAnn()
  await setPasswordHash(app.db, '')
  await app.browser().post('/forgot-password', { email: ann.email })
  const mail = await app.outbox.next()
  expect(mail.subject).toBe(`Set a password for ${brandName}`)
})

test('a reset is notified as a changed password, or as a first one if the account had none', async () => {
  const app = await withAnn()
  const { fields: first } = await requestReset(app)
  await app.browser().post('/reset-password', first)
  await app.outbox.next()
  await setPasswordHash(app.db, '')
  await app.pass({ minutes: 1 })
  const { fields: second } = await requestReset(app)
  await app.browser().post('/reset-password', second)
  const kinds = (await allNotifications(app.db)).map(({ kind }) => kind)
  expect(kinds).toEqual(['password-changed', 'password-set'])
})

test('a reset changes nothing when its notification cannot be stored', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  const [users, logins] = [await allUsers(app.db), await allLogins(app.db)]
  await refuseNotifications(app.db)
  const visit = await app.browser().post('/reset-password', fields)
  expect(visit.status).toBe(500)
  expect([await allUsers(app.db), await allLogins(app.db)]).toEqual([users, logins])
})

test('a used reset link stays invalid after the password is removed again', async () => {
  const app = await withAnn()
  await setPasswordHash(app.db, '')
  const { fields } = await requestReset(app)
  await app.browser().post('/reset-password', fields)
  await setPasswordHash(app.db, '')
  const revived = await app.browser().post('/reset-password', fields)
  expect(revived.errors).toEqual(invalid)
})

test('a logged-in user goes to the dashboard from the forms for a forgotten password, even from a reset link', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const visits = [
    await browser.get('/reset-password/a.b?email=ann@x.test', { stay: true }),
    await browser.post('/reset-password', { token: 'a.b', email: ann.email }, { stay: true }),
    await browser.post('/forgot-password', { email: ann.email }, { stay: true }),
  ]
  expect(visits.map(({ location }) => location)).toEqual(visits.map(() => '/dashboard'))
  expect(await allJobs(app.db)).toHaveLength(1)
})

test('the new password is validated as on the register page', async () => {
  const app = await testApp()
  const short = { token: 'a.b', email: ann.email, password: '1234567', password_confirmation: 'x' }
  const visit = await app.browser().post('/reset-password', short)
  expect(visit.errors).toEqual({
    password: errorWords.passwordShort,
    password_confirmation: errorWords.passwordMismatch,
  })
})

test('a login of an account with two-factor login waits ten minutes for its code, and is not logged in', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
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

test('a login that waits for its code keeps the wanted page and nothing else of the session', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await turnOnTwoFactor(app.db)
  const browser = app.browser()
  await browser.get('/verify-email?from=mail')
  await logIn(browser, { ...ann, password: 'wrong word' }, { stay: true })
  await logIn(browser, ann, { stay: true })
  const [row] = await waitingLogins(app.db)
  const waiting = row?.key.replace('waiting-login:', '')
  expect(sessionOf(app, browser)).toEqual({ waiting, wanted: '/verify-email?from=mail' })
})

test('a reset leads to the page that the guest wanted', async () => {
  const app = await withAnn()
  const { fields } = await requestReset(app)
  const browser = app.browser()
  await browser.get('/verify-email?from=mail')
  const set = await browser.post('/reset-password', fields, { stay: true })
  expect(set.location).toBe('/verify-email?from=mail')
})

test('a reset discards a login that waited for its code', async () => {
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
