import { expect, test } from 'vitest'
import { errorWords, tryAgainIn } from '#words/errors'
import { flashWords } from '#words/flash'
import { fullQueueOf, keepHashing } from '../../../testing/hashing.ts'
import { linkIn } from '../../../testing/mails.ts'
import { ann, logIn, registeredBrowser } from '../../../testing/people.ts'
import {
  addPasskeysAndTokens,
  allJobs,
  allLogins,
  allNotifications,
  allThrottles,
  allUsers,
  countPasskeysAndTokens,
  dropThrottles,
  refuseNotifications,
  turnOnTwoFactor,
  verifyEmails,
} from '../../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../../testing/test-app.ts'
import type { Browser, SendOptions, Visit } from '../../../testing/browser.ts'

const stay = { stay: true }
const another = { password: 'another word', password_confirmation: 'another word' }
const anew = { ...ann, password: another.password }

/** Sets a password, as the form does. */
function change(browser: Browser, fields: object = {}, sending?: SendOptions): Promise<Visit> {
  const form = { _method: 'PUT', current_password: ann.password, ...another, ...fields }
  return browser.post('/settings/password', form, sending)
}

function remove(browser: Browser, sending?: SendOptions): Promise<Visit> {
  return browser.post('/settings/password', { _method: 'DELETE' }, sending)
}

/** Returns Ann's browser on the security page, her email verified. With `workers`, the mail was sent. */
async function onSecurity({
  workers = false,
  ...options
}: Parameters<typeof testApp>[0] = {}): Promise<{ app: TestApp; browser: Browser }> {
  const app = await testApp({ workers, ...options })
  const browser = await registeredBrowser(app, ann)
  // Before the email is verified: after that a pending link is no longer mailed.
  if (workers) await app.outbox.next()
  await verifyEmails(app.db, app.now())
  await browser.get('/settings/security')
  return { app, browser }
}

/** Returns Ann's browser on the security page of an account with a passkey and no password. */
async function withoutPassword(options = {}) {
  const { app, browser } = await onSecurity(options)
  await addPasskeysAndTokens(app.db, app.now())
  const removed = await remove(browser)
  return { app, browser, removed }
}

async function notificationKinds(app: TestApp): Promise<string[]> {
  return (await allNotifications(app.db)).map(({ kind }) => kind)
}

test('after a password change the new password logs in, and the old one does not', async () => {
  const { app, browser } = await onSecurity()
  const visit = await change(browser)
  const before = await logIn(app.browser(), ann)
  const after = await logIn(app.browser(), anew)
  expect([visit.url, visit.flash.success]).toEqual([
    '/settings/security',
    flashWords.passwordChanged,
  ])
  expect([before.errors, after.user?.id]).toEqual([{ email: errorWords.wrongLogin }, 1])
})

test('a password change logs this browser in again and logs every other browser out', async () => {
  const { app, browser } = await onSecurity()
  const other = app.browser()
  await logIn(other, ann)
  const [own, others] = await allLogins(app.db)
  await change(browser)
  const visits = [await browser.get('/dashboard'), await other.get('/dashboard')]
  const logins = await allLogins(app.db)
  expect(visits.map(({ url }) => url)).toEqual(['/dashboard', '/login'])
  expect(logins).toHaveLength(1)
  expect([own?.key, others?.key]).not.toContainEqual(logins[0]?.key)
})

test('the login after a password change is remembered if the login before it was', async () => {
  const { app, browser } = await onSecurity()
  const remembering = app.browser()
  await remembering.post('/login', { ...ann, remember: 'on' })
  await change(remembering)
  const kept = await allLogins(app.db)
  await logIn(browser, anew)
  await change(browser, { current_password: anew.password })
  const plain = await allLogins(app.db)
  const monthAhead = new Date(app.now().getTime() + 30 * 24 * 60 * 60_000)
  expect(kept).toMatchObject([{ remember: true, endsAt: monthAhead }])
  expect(plain).toMatchObject([{ remember: false }])
})

test('a password change counts as a confirmation', async () => {
  const { app, browser } = await onSecurity()
  await app.pass({ hours: 1, minutes: 59 })
  await change(browser)
  await app.pass({ hours: 1, minutes: 59 })
  const visit = await browser.get('/settings/profile')
  expect(visit.url).toBe('/settings/profile')
})

test('a password change asks for no two-factor code', async () => {
  const { app, browser } = await onSecurity()
  await turnOnTwoFactor(app.db)
  const visit = await change(browser)
  expect([visit.url, visit.user?.twoFactor]).toEqual(['/settings/security', true])
})

test('a password change is notified and mailed, and is not notified as a new login', async () => {
  const { app, browser } = await onSecurity()
  const visit = await change(browser)
  const [, mail, ...more] = await allJobs(app.db)
  expect([await notificationKinds(app), visit.page.props.bell?.unread]).toEqual([
    ['password-changed'],
    1,
  ])
  expect([mail?.name, JSON.parse(mail?.payload ?? ''), more]).toMatchObject([
    'notification-mail',
    { to: { address: ann.email }, kind: 'password-changed' },
    [],
  ])
})

test('a password change keeps the passkeys and the API tokens', async () => {
  const { app, browser } = await onSecurity()
  await addPasskeysAndTokens(app.db, app.now())
  await change(browser)
  expect(await countPasskeysAndTokens(app.db)).toEqual({ passkeys: 1, tokens: 1 })
})

test('a wrong or empty current password shows an error at its field and changes nothing', async () => {
  const { app, browser } = await onSecurity()
  const before = await allUsers(app.db)
  const wrong = await change(browser, { current_password: 'wrong word' })
  const empty = await change(browser, { current_password: '' })
  expect([wrong.url, wrong.errors]).toEqual([
    '/settings/security',
    { current_password: errorWords.wrongPassword },
  ])
  expect(empty.errors).toEqual({ current_password: errorWords.required })
  expect([await allUsers(app.db), await notificationKinds(app)]).toEqual([before, []])
})

test('a new password must have 8 to 200 characters and be typed twice', async () => {
  const { browser } = await onSecurity()
  const short = await change(browser, { password: '1234567' })
  const long = await change(browser, { password: 'a'.repeat(201) })
  const longest = { password: 'é'.repeat(200), password_confirmation: 'é'.repeat(200) }
  const { passwordShort, passwordLong, passwordMismatch } = errorWords
  expect([short.errors, long.errors]).toEqual([
    { password: passwordShort, password_confirmation: passwordMismatch },
    { password: passwordLong, password_confirmation: passwordMismatch },
  ])
  expect((await change(browser, longest)).flash.success).toBe(flashWords.passwordChanged)
})

test('the current password may be tried five times a minute, each try counted before it is checked', async () => {
  const { app, browser } = await onSecurity()
  const wrong = { current_password: 'wrong word' }
  const tries = await Promise.all(Array.from({ length: 5 }, () => change(browser, wrong, stay)))
  const sixth = await change(browser, {}, stay)
  const securityPage = await browser.get('/settings/security')
  await app.pass({ minutes: 1 })
  const later = await change(browser)
  expect(tries.map(({ headers }) => headers['retry-after'])).toEqual(Array(5).fill(undefined))
  expect([sixth.headers['retry-after'], securityPage.errors]).toEqual([
    '60',
    { current_password: tryAgainIn(60) },
  ])
  expect(later.flash.success).toBe(flashWords.passwordChanged)
})

test('a change is not counted when it is refused because too many passwords wait to be hashed', async () => {
  const { app, browser } = await onSecurity()
  const hashing = keepHashing(app, fullQueueOf('127.0.0.1'))
  const busy = await Promise.all([1, 2, 3, 4, 5].map(() => change(browser, {}, stay)))
  await hashing.stop()
  const visit = await change(browser)
  expect(busy.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
  expect([visit.errors, visit.flash.success]).toEqual([{}, flashWords.passwordChanged])
})

test('a password is not changed when the try cannot be counted', async () => {
  const { app, browser } = await onSecurity()
  const before = await allUsers(app.db)
  await dropThrottles(app.db)
  const visit = await change(browser)
  expect([visit.status, await allUsers(app.db)]).toEqual([500, before])
})

test('a validation-only request validates the fields but does not check the current password', async () => {
  const { app, browser } = await onSecurity()
  const before = await allUsers(app.db)
  const ask = (fields: Record<string, string>) =>
    browser.validate('/settings/password', { _method: 'PUT', ...another, ...fields })
  const wrong = await Promise.all(
    Array.from({ length: 6 }, () => ask({ current_password: 'wrong word' })),
  )
  const empty = await ask({ current_password: '', password: '1234567' })
  expect(new Set(wrong.map(({ status }) => status))).toEqual(new Set([204]))
  expect(empty.json).toEqual({
    errors: {
      current_password: errorWords.required,
      password: errorWords.passwordShort,
      password_confirmation: errorWords.passwordMismatch,
    },
  })
  expect(await allUsers(app.db)).toEqual(before)
})

test('of two simultaneous password changes, one works and the other browser is logged out', async () => {
  const { app, browser } = await onSecurity({ hashing: 'as served' })
  const other = app.browser()
  await logIn(other, ann)
  const visits = await Promise.all([
    change(browser, {}, stay),
    change(other, { password: 'a third word', password_confirmation: 'a third word' }, stay),
  ])
  const [user] = await allUsers(app.db)
  expect(new Set(visits.map(({ location }) => location))).toEqual(
    new Set(['/login', '/settings/security']),
  )
  expect([user?.passwordChanges, await allLogins(app.db)]).toMatchObject([1, [{ userId: 1 }]])
  expect((await notificationKinds(app)).filter((kind) => kind === 'password-changed')).toHaveLength(
    1,
  )
})

test('a password is not changed and nobody is logged out when the notification cannot be stored', async () => {
  const { app, browser } = await onSecurity()
  const [users, logins] = [await allUsers(app.db), await allLogins(app.db)]
  await refuseNotifications(app.db)
  const visit = await change(browser)
  expect([visit.status, visit.component]).toEqual([500, 'Error'])
  expect([await allUsers(app.db), await allLogins(app.db)]).toEqual([users, logins])
  expect(await allJobs(app.db)).toHaveLength(1)
})

test('a reset link from before a password change is not valid after it', async () => {
  const { app, browser } = await onSecurity({ workers: true })
  await app.browser().post('/forgot-password', { email: ann.email })
  const link = linkIn(await app.outbox.next())
  await change(browser)
  const { token = '' } = /^\/reset-password\/(?<token>[^?]+)/.exec(link)?.groups ?? {}
  const visit = await app.browser().post('/reset-password', { token, email: ann.email, ...another })
  expect(visit.errors).toEqual({ email: errorWords.linkInvalid })
})

test('a JSON client sets a password, and gets an error for a wrong one and the wait for too many tries', async () => {
  const { browser } = await onSecurity()
  const put = (current: string) =>
    browser.send('PUT', '/settings/password', {
      body: JSON.stringify({ current_password: current, ...another }),
      type: 'application/json',
    })
  const wrong = await put('wrong word')
  const right = await put(ann.password)
  const securityPage = await browser.get('/settings/security')
  await Promise.all(Array.from({ length: 5 }, () => put('wrong word')))
  const early = await put(another.password)
  expect([wrong.status, wrong.json]).toMatchObject([
    422,
    { errors: { current_password: errorWords.wrongPassword } },
  ])
  expect([right.status, right.json]).toEqual([200, { redirect: '/settings/security' }])
  expect(securityPage.flash.success).toBe(flashWords.passwordChanged)
  expect([early.status, early.headers['retry-after']]).toEqual([422, '60'])
})

test('a plain form sets a password, and its page never contains the typed passwords', async () => {
  const { browser } = await onSecurity()
  const fields = { _method: 'PUT', current_password: ann.password, ...another }
  await browser.document('/settings/appearance')
  const failed = await browser.document('/settings/password', { ...fields, password: 'short' })
  const right = await browser.document('/settings/password', fields, stay)
  expect(failed.page.props.old).toEqual({})
  expect(failed.body).not.toContain(ann.password)
  expect(right.location).toBe('/settings/security')
})

test('an account without a password sets its first one without the current password', async () => {
  const { app, browser } = await withoutPassword()
  const other = app.browser()
  const visit = await change(browser, { current_password: '' })
  const entered = await logIn(other, anew)
  expect([visit.url, visit.flash.success, visit.user?.password]).toEqual([
    '/settings/security',
    flashWords.passwordSet,
    true,
  ])
  expect(entered.user?.id).toBe(1)
  expect((await notificationKinds(app)).slice(0, 2)).toEqual(['password-removed', 'password-set'])
})

test('the first password checks no current password and counts as no try, and the next one checks it', async () => {
  const { app, browser } = await withoutPassword()
  const set = () => change(browser, { current_password: 'anything' })
  const before = await allThrottles(app.db)
  const first = await set()
  const after = await allThrottles(app.db)
  const wrong = await set()
  expect(after).toEqual(before)
  expect([first.flash.success, wrong.errors]).toEqual([
    flashWords.passwordSet,
    { current_password: errorWords.wrongPassword },
  ])
})

test('the password of an account with a passkey can be removed, and then no password logs in', async () => {
  const { app, browser, removed } = await withoutPassword()
  const tries = [
    await logIn(app.browser(), ann),
    await logIn(app.browser(), { ...ann, password: ' ' }),
  ]
  expect([removed.url, removed.flash.success, removed.user?.password]).toEqual([
    '/settings/security',
    flashWords.passwordRemoved,
    false,
  ])
  expect(tries.map(({ errors }) => errors)).toEqual(
    tries.map(() => ({ email: errorWords.wrongLogin })),
  )
  expect((await browser.get('/dashboard')).user?.id).toBe(1)
  expect(await notificationKinds(app)).toEqual(['password-removed'])
})

test('removing the password does not count as a confirmation', async () => {
  const { app, browser } = await onSecurity()
  await addPasskeysAndTokens(app.db, app.now())
  await app.pass({ hours: 2, minutes: -1 })
  await browser.get('/settings/security')
  await remove(browser)
  await app.pass({ hours: 1, minutes: 1 })
  expect((await browser.get('/settings/security')).url).toBe('/confirm-password')
})

test('removing the password logs this browser in again and logs every other browser out', async () => {
  const { app, browser } = await onSecurity()
  await addPasskeysAndTokens(app.db, app.now())
  const other = app.browser()
  await logIn(other, ann)
  const [own] = await allLogins(app.db)
  await remove(browser)
  const visits = [await browser.get('/dashboard'), await other.get('/dashboard')]
  const logins = await allLogins(app.db)
  expect(visits.map(({ url }) => url)).toEqual(['/dashboard', '/login'])
  expect(logins).toHaveLength(1)
  expect(logins[0]?.key).not.toEqual(own?.key)
})

test('the password of an account without a passkey cannot be removed, and the page says why', async () => {
  const { app, browser } = await onSecurity()
  const [users, logins] = [await allUsers(app.db), await allLogins(app.db)]
  const visit = await remove(browser)
  expect([visit.url, visit.flash]).toEqual([
    '/settings/security',
    { error: errorWords.passkeyFirst },
  ])
  expect([await allUsers(app.db), await allLogins(app.db)]).toEqual([users, logins])
  expect(await notificationKinds(app)).toEqual([])
})

test('a passkey of another account does not allow the password to be removed', async () => {
  const app = await testApp()
  await registeredBrowser(app, { ...ann, email: 'other@x.test' })
  await addPasskeysAndTokens(app.db, app.now())
  const browser = await registeredBrowser(app, ann)
  await verifyEmails(app.db, app.now())
  const visit = await remove(browser)
  expect(visit.flash.error).toBe(errorWords.passkeyFirst)
})

test('removing the password of an account without one changes nothing', async () => {
  const { app, browser } = await withoutPassword()
  const [users, logins] = [await allUsers(app.db), await allLogins(app.db)]
  const visit = await remove(browser)
  expect([visit.url, visit.flash]).toEqual(['/settings/security', {}])
  expect([await allUsers(app.db), await allLogins(app.db)]).toEqual([users, logins])
  expect(await notificationKinds(app)).toEqual(['password-removed'])
})

test('a password is not removed when the notification cannot be stored', async () => {
  const { app, browser } = await onSecurity()
  await addPasskeysAndTokens(app.db, app.now())
  const [users, logins] = [await allUsers(app.db), await allLogins(app.db)]
  await refuseNotifications(app.db)
  const visit = await remove(browser)
  expect(visit.status).toBe(500)
  expect([await allUsers(app.db), await allLogins(app.db)]).toEqual([users, logins])
})

test('of a removal and a change of the password at the same time, one works', async () => {
  const { app, browser } = await onSecurity({ hashing: 'as served' })
  await addPasskeysAndTokens(app.db, app.now())
  const other = app.browser()
  await logIn(other, ann)
  const visits = await Promise.all([change(browser, {}, stay), remove(other, stay)])
  expect(new Set(visits.map(({ location }) => location))).toEqual(
    new Set(['/login', '/settings/security']),
  )
  expect([await allUsers(app.db), await allLogins(app.db)]).toMatchObject([
    [{ passwordChanges: 1 }],
    [{ userId: 1 }],
  ])
})

test('a reset link of an account without a password stays invalid once a password was set and removed again', async () => {
  const { app, browser } = await withoutPassword({ workers: true })
  await app.outbox.next()
  await app.browser().post('/forgot-password', { email: ann.email })
  const link = linkIn(await app.outbox.next())
  const { token = '' } = /^\/reset-password\/(?<token>[^?]+)/.exec(link)?.groups ?? {}
  await change(browser)
  await remove(browser)
  const [user] = await allUsers(app.db)
  const visit = await app.browser().post('/reset-password', { token, email: ann.email, ...another })
  expect([token, user?.passwordHash]).toEqual([expect.stringMatching(/./), ''])
  expect(visit.errors).toEqual({ email: errorWords.linkInvalid })
})

test('a JSON client gets the reason why a password stays, and removes it once there is a passkey', async () => {
  const { app, browser } = await onSecurity()
  const send = () =>
    browser.send('DELETE', '/settings/password', { type: 'application/json', body: '{}' })
  const refused = await send()
  await addPasskeysAndTokens(app.db, app.now())
  const removed = await send()
  const [user] = await allUsers(app.db)
  expect([refused.status, refused.json]).toEqual([422, { message: errorWords.passkeyFirst }])
  expect([removed.status, removed.json]).toEqual([200, { redirect: '/settings/security' }])
  expect(user?.passwordHash).toBe('')
})
