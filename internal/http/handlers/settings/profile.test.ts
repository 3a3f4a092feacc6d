import { expect, test } from 'vitest'
import { errorWords, tryAgainIn } from '#words/errors'
import { flashWords } from '#words/flash'
import { fullQueueOf, keepHashing } from '../../../testing/hashing.ts'
import { linkIn } from '../../../testing/mails.ts'
import { ann, behindProxy, bob, from, logIn, registeredBrowser } from '../../../testing/people.ts'
import {
  addPasskeysAndTokens,
  allJobs,
  allNotifications,
  allUsers,
  countRowsOfUsers,
  dropThrottles,
  setEmailOf,
  setPhotoKey,
  notifyAll,
  refuseNotifications,
  verifyEmails,
} from '../../../testing/database/rows.ts'
import { sessionOf } from '../../../testing/session-of.ts'
import { testApp, type TestApp } from '../../../testing/test-app.ts'
import type { Browser, SendOptions, Visit } from '../../../testing/browser.ts'

const stay = { stay: true }

/** Saves the profile, as its form does. */
function save(browser: Browser, fields: object, sending?: SendOptions): Promise<Visit> {
  const profile = { name: ann.name, email: ann.email, ...fields }
  return browser.post('/settings/profile', { _method: 'PATCH', ...profile }, sending)
}

function remove(browser: Browser, password: string, sending?: SendOptions): Promise<Visit> {
  return browser.post('/settings/profile', { _method: 'DELETE', password }, sending)
}

/** Ann's browser on her profile; her email is verified. */
async function onProfile(options = {}): Promise<{ app: TestApp; browser: Browser }> {
  const app = await testApp(options)
  const browser = await registeredBrowser(app, ann)
  await verifyEmails(app.db, app.now())
  await browser.get('/settings/profile')
  return { app, browser }
}

/** Lists the jobs pushed after Ann's registration, whose own comes first. */
async function pushed(app: TestApp): Promise<unknown[]> {
  return (await allJobs(app.db)).slice(1).map(({ name, payload }) => [name, JSON.parse(payload)])
}

test('an unverified user can open the profile and correct a mistyped email', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const visit = await browser.get('/settings/profile')
  const saved = await save(browser, { email: 'ann.b@x.test' })
  expect([visit.status, visit.component]).toEqual([200, 'Settings/Profile'])
  expect([saved.url, saved.user?.email]).toEqual(['/settings/profile', 'ann.b@x.test'])
})

test('a new spelling of an unverified email shows a message about a new link, which is queued', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const saved = await save(browser, { email: ann.email.toUpperCase() })
  expect(saved.flash.success).toBe(flashWords.emailChanged)
  expect(await pushed(app)).toEqual([['VerifyMail', { userId: 1, email: ann.email.toUpperCase() }]])
})

test('saving a new name preserves the stored spelling of the email and queues no mail', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  const email = 'ann@xn--bcher-kva.example'
  await setEmailOf(app.db, 1, email)
  await save(browser, { name: 'Ann B.', email })
  expect(await allUsers(app.db)).toMatchObject([{ name: 'Ann B.', email }])
  expect(await pushed(app)).toEqual([])
})

test('a new name is stored without surrounding spaces and queues no mail', async () => {
  const { app, browser } = await onProfile()
  const visit = await save(browser, { name: '  Ann B. ' })
  expect([visit.url, visit.flash.success]).toEqual(['/settings/profile', flashWords.profileSaved])
  expect(visit.user).toMatchObject({
    name: 'Ann B.',
    email: ann.email,
    emailVerifiedAt: app.now().toISOString(),
  })
  expect([await pushed(app), await allNotifications(app.db)]).toEqual([[], []])
})

test('saving an unchanged profile succeeds and queues no mail', async () => {
  const { app, browser } = await onProfile()
  const visit = await save(browser, {})
  expect([visit.flash.success, visit.errors]).toEqual([flashWords.profileSaved, {}])
  expect(await pushed(app)).toEqual([])
})

test('a new email is unverified until the user follows the link mailed to it', async () => {
  const { app, browser } = await onProfile({ workers: true })
  const saved = await save(browser, { email: 'ann.b@x.test' })
  const turned = await browser.get('/dashboard')
  await app.pass({ minutes: 1 })
  const followed = await browser.get(linkIn(await app.outbox.nextTo('ann.b@x.test')))
  expect([saved.flash.success, saved.user?.emailVerifiedAt]).toEqual([
    flashWords.emailChanged,
    null,
  ])
  expect([turned.url, followed.url]).toEqual(['/verify-email', '/dashboard'])
  expect(followed.user).toMatchObject({
    email: 'ann.b@x.test',
    emailVerifiedAt: expect.any(String),
  })
})

test('a change of email is notified, and the notification is mailed to the old email', async () => {
  const { app, browser } = await onProfile()
  const visit = await save(browser, { name: 'Ann B.', email: 'ann.b@x.test' })
  const data = JSON.stringify({ email: 'ann.b@x.test' })
  const to = { address: ann.email, name: ann.name }
  expect(await allNotifications(app.db)).toMatchObject([{ userId: 1, kind: 'email-changed', data }])
  expect(visit.page.props.bell?.unread).toBe(1)
  expect(await pushed(app)).toEqual([
    ['VerifyMail', { userId: 1, email: 'ann.b@x.test' }],
    [
      'notification-mail',
      { userId: 1, to, kind: 'email-changed', data, at: app.now().toISOString(), language: 'en' },
    ],
  ])
})

test('an email typed with decomposed accents is stored with composed ones', async () => {
  const { app, browser } = await onProfile()
  const visit = await save(browser, { email: 'zoe\u0308@x.test' })
  const again = await save(browser, { email: 'zo\u00eb@x.test' })
  expect([visit.user?.email, again.user?.email]).toEqual(['zo\u00eb@x.test', 'zo\u00eb@x.test'])
  expect(await allNotifications(app.db)).toHaveLength(1)
})

test('an email changed only in case stays verified and is stored as typed', async () => {
  const { app, browser } = await onProfile()
  const visit = await save(browser, { email: 'Ann@X.test' })
  expect([visit.flash.success, visit.user?.email, visit.user?.emailVerifiedAt]).toEqual([
    flashWords.profileSaved,
    'Ann@X.test',
    app.now().toISOString(),
  ])
  expect([await pushed(app), await allNotifications(app.db)]).toEqual([[], []])
})

test('changing the case of an unverified email mails a new link and makes the old link invalid', async () => {
  const app = await testApp({ workers: true })
  const browser = await registeredBrowser(app, ann)
  const stale = linkIn(await app.outbox.next())
  await app.pass({ minutes: 1 })
  await save(browser, { email: 'Ann@X.test' })
  const mail = await app.outbox.next()
  const refused = await browser.get(stale)
  const followed = await browser.get(linkIn(mail))
  expect(mail.to).toEqual([{ address: 'Ann@X.test' }])
  expect(refused.flash.error).toBe(flashWords.linkExpired)
  expect(followed.flash.success).toBe(flashWords.verified)
  expect(await allNotifications(app.db)).toEqual([])
})

test('a link mailed to the old email does not verify the new one', async () => {
  const app = await testApp({ workers: true })
  const browser = await registeredBrowser(app, ann)
  const stale = linkIn(await app.outbox.next())
  await save(browser, { email: 'ann.b@x.test' })
  const visit = await browser.get(stale)
  expect([visit.flash.error, visit.user?.emailVerifiedAt]).toEqual([flashWords.linkExpired, null])
})

test('an empty or invalid name or email shows an error at its field and changes nothing', async () => {
  const { app, browser } = await onProfile()
  const empty = await save(browser, { name: ' ', email: '' })
  const wrong = await save(browser, { name: 'a'.repeat(201), email: 'ann' })
  const { required, nameLong, email } = errorWords
  expect([empty.url, empty.errors]).toEqual([
    '/settings/profile',
    { name: required, email: required },
  ])
  expect(wrong.errors).toEqual({ name: nameLong, email })
  expect(await allUsers(app.db)).toMatchObject([{ name: ann.name, email: ann.email }])
})

test('an email of another account is refused in any case, both when validated and when sent', async () => {
  const { app, browser } = await onProfile()
  await registeredBrowser(app, bob)
  const fields = { name: 'Ann B.', email: 'BOB@x.test' }
  const left = await browser.validate('/settings/profile', { _method: 'PATCH', ...fields }, [
    'email',
  ])
  const sent = await save(browser, fields)
  const errors = { email: errorWords.takenByOther }
  expect([left.status, left.json]).toEqual([422, { errors }])
  expect(sent.errors).toEqual(errors)
  expect((await allUsers(app.db))[0]).toMatchObject({ name: ann.name, email: ann.email })
})

test('a validation-only request changes nothing', async () => {
  const { app, browser } = await onProfile()
  const fields = { _method: 'PATCH', name: 'Ann B.', email: 'ann.b@x.test' }
  const visit = await browser.validate('/settings/profile', fields)
  expect(visit.status).toBe(204)
  expect(await allUsers(app.db)).toMatchObject([{ name: ann.name, email: ann.email }])
})

test('checks of other emails share the limit of registering, thirty a minute for an address', async () => {
  const { app, browser } = await onProfile(behindProxy)
  const look = (email: string, address: string) =>
    browser.post(
      '/settings/profile',
      { _method: 'PATCH', name: ann.name, email },
      {
        headers: { ...from(address).headers, 'X-Page-Validate-Only': 'email' },
        stay: true,
      },
    )
  const own = Array.from({ length: 35 }, () => look('ANN@x.test', '192.0.2.7'))
  const visits = [
    ...(await Promise.all(own)),
    ...(await Promise.all(Array.from({ length: 29 }, () => look(bob.email, '192.0.2.7')))),
    await app
      .browser()
      .post('/register', { email: 'zoe@x.test' }, { ...from('192.0.2.7'), ...stay }),
  ]
  const over = await look(bob.email, '192.0.2.7')
  const sent = await save(browser, { email: bob.email }, from('192.0.2.7'))
  const elsewhere = await look(bob.email, '192.0.2.8')
  expect(new Set(visits.map(({ status }) => status))).toEqual(new Set([204, 303]))
  expect([over.status, over.headers['retry-after'], over.json]).toEqual([
    422,
    '60',
    { errors: { email: tryAgainIn(60) } },
  ])
  expect(sent.errors).toEqual({ email: tryAgainIn(60) })
  expect(elsewhere.status).toBe(204)
})

test('a user may change the email five times a minute', async () => {
  const { app, browser } = await onProfile()
  const emails = ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@x.test`)
  const saved = await Promise.all(emails.map((email) => save(browser, { email }, stay)))
  const sixth = await save(browser, { email: 'f@x.test' }, stay)
  const profilePage = await browser.get('/settings/profile')
  const renamed = await save(browser, { name: 'Ann B.', email: profilePage.user?.email })
  await app.pass({ minutes: 1 })
  const later = await save(browser, { email: 'f@x.test' })
  expect(saved.map(({ headers }) => headers['retry-after'])).toEqual(Array(5).fill(undefined))
  expect([sixth.headers['retry-after'], profilePage.errors]).toEqual([
    '60',
    { email: tryAgainIn(60) },
  ])
  expect([renamed.user?.name, later.user?.email]).toEqual(['Ann B.', 'f@x.test'])
})

test('a user may change the case of an unverified email five times a minute, and one link is queued', async () => {
  const app = await testApp()
  const browser = await registeredBrowser(app, ann)
  await browser.get('/settings/profile')
  const emails = ['Ann', 'aNn', 'anN', 'ANn', 'aNN', 'AnN'].map((name) => `${name}@x.test`)
  const visits = await Promise.all(emails.map((email) => save(browser, { email }, stay)))
  expect(visits.filter(({ headers }) => headers['retry-after'] === '60')).toHaveLength(1)
  expect(await pushed(app)).toHaveLength(1)
})

test('of two accounts that change to the same email at once, one gets it', async () => {
  const { app, browser: anns } = await onProfile()
  const bobs = await registeredBrowser(app, bob)
  await bobs.get('/settings/profile')
  const visits = await Promise.all([
    save(anns, { email: 'new@x.test' }),
    save(bobs, { name: bob.name, email: 'NEW@x.test' }),
  ])
  const messages = visits.map(({ flash, errors }) => flash.success ?? errors['email'])
  const keys = (await allUsers(app.db)).map(({ emailKey }) => emailKey)
  expect(new Set(messages)).toEqual(new Set([errorWords.takenByOther, flashWords.emailChanged]))
  expect(keys.filter((key) => key === 'new@x.test')).toHaveLength(1)
  expect(await allNotifications(app.db)).toHaveLength(1)
})

test('a new email is not stored when its notification cannot be stored', async () => {
  const { app, browser } = await onProfile()
  await refuseNotifications(app.db)
  const visit = await save(browser, { name: 'Ann B.', email: 'ann.b@x.test' })
  expect([visit.status, visit.component]).toEqual([500, 'Error'])
  expect(await allUsers(app.db)).toMatchObject([
    { name: ann.name, email: ann.email, emailVerifiedAt: app.now() },
  ])
  expect(await pushed(app)).toEqual([])
})

test('a plain form saves the profile, and gets the typed values back when it fails', async () => {
  const { app, browser } = await onProfile()
  const fields = { _method: 'PATCH', name: 'Ann B.', email: 'ann' }
  await browser.document('/settings/profile')
  const failed = await browser.document('/settings/profile', fields)
  const saved = await browser.document('/settings/profile', { ...fields, email: ann.email })
  expect([failed.errors, failed.page.props.old]).toEqual([
    { email: errorWords.email },
    { name: 'Ann B.', email: 'ann' },
  ])
  expect([saved.url, saved.user?.name]).toEqual(['/settings/profile', 'Ann B.'])
  expect(await pushed(app)).toEqual([])
})

test('a JSON client saves the profile, and gets an error for an invalid field', async () => {
  const { browser } = await onProfile()
  const patch = (fields: object) =>
    browser.send('PATCH', '/settings/profile', {
      body: JSON.stringify(fields),
      type: 'application/json',
    })
  const failed = await patch({ name: '', email: ann.email })
  const saved = await patch({ name: 'Ann B.', email: ann.email })
  const profilePage = await browser.get('/settings/profile')
  expect([failed.status, failed.json]).toEqual([
    422,
    { message: errorWords.invalid, errors: { name: errorWords.required } },
  ])
  expect([saved.status, saved.json]).toEqual([200, { redirect: '/settings/profile' }])
  expect([profilePage.user?.name, profilePage.flash.success]).toEqual([
    'Ann B.',
    flashWords.profileSaved,
  ])
})

test('deleting the account with the password deletes everything the account owns', async () => {
  const { app, browser } = await onProfile()
  await addPasskeysAndTokens(app.db, app.now())
  await notifyAll(app.db, app.now())
  await setPhotoKey(app.db, 'photos/ann.png')
  const before = await countRowsOfUsers(app.db)
  const visit = await remove(browser, ann.password)
  expect(Object.values(before)).not.toContain(0)
  expect(new Set(Object.values(await countRowsOfUsers(app.db)))).toEqual(new Set([0]))
  expect(await allJobs(app.db)).toMatchObject([
    { name: 'delete-file', payload: '{"key":"photos/ann.png"}' },
  ])
  expect([visit.url, visit.flash.success, visit.user]).toEqual([
    '/',
    flashWords.accountDeleted,
    null,
  ])
  expect(visit.page.clearHistory).toBe(true)
})

test('deleting an account empties the session, except for the message and the clearing of the history', async () => {
  const { app, browser } = await onProfile()
  await remove(browser, ann.password, stay)
  expect(sessionOf(app, browser)).toEqual({
    flash: { success: flashWords.accountDeleted },
    clearHistory: true,
  })
})

test('deleting an account leaves other accounts unchanged', async () => {
  const { app, browser } = await onProfile()
  const bobs = await registeredBrowser(app, bob)
  await addPasskeysAndTokens(app.db, app.now())
  await remove(browser, ann.password)
  expect(await countRowsOfUsers(app.db)).toMatchObject({
    users: 1,
    logins: 1,
    passkeys: 1,
    tokens: 1,
  })
  expect((await bobs.get('/settings/profile')).user?.name).toBe(bob.name)
})

test('the other sessions of a deleted account end at their next request', async () => {
  const { app, browser } = await onProfile()
  const other = app.browser()
  await logIn(other, ann)
  await remove(browser, ann.password)
  const visit = await other.get('/settings/profile')
  expect([visit.url, visit.user]).toEqual(['/login', null])
})

test('the email of a deleted account can be registered again', async () => {
  const { app, browser } = await onProfile()
  await remove(browser, ann.password)
  await registeredBrowser(app, ann)
  expect(await allUsers(app.db)).toMatchObject([{ id: 2, email: ann.email }])
})

test('a wrong or empty password shows an error at its field and deletes nothing', async () => {
  const { app, browser } = await onProfile()
  const wrong = await remove(browser, 'wrong word')
  const empty = await remove(browser, '')
  expect([wrong.url, wrong.errors]).toEqual([
    '/settings/profile',
    { password: errorWords.wrongPassword },
  ])
  expect(empty.errors).toEqual({ password: errorWords.required })
  expect([wrong.user?.id, await countRowsOfUsers(app.db)]).toMatchObject([
    1,
    { users: 1, logins: 1 },
  ])
})

test('deleting may be tried five times a minute, counted together with other checks of the password', async () => {
  const { app, browser } = await onProfile()
  const tries = await Promise.all(
    Array.from({ length: 4 }, () => remove(browser, 'wrong word', stay)),
  )
  const fifth = await browser.post('/confirm-password', { password: 'wrong word' }, stay)
  const sixth = await remove(browser, ann.password, stay)
  const profilePage = await browser.get('/settings/profile')
  await app.pass({ minutes: 1 })
  const later = await remove(browser, ann.password)
  const waits = [...tries, fifth].map(({ headers }) => headers['retry-after'])
  expect(waits).toEqual(Array(5).fill(undefined))
  expect([sixth.headers['retry-after'], profilePage.errors]).toEqual([
    '60',
    { password: tryAgainIn(60) },
  ])
  expect([later.url, later.user]).toEqual(['/', null])
})

test('a deletion gets a 500 and deletes nothing when its try cannot be counted', async () => {
  const { app, browser } = await onProfile()
  await dropThrottles(app.db)
  const visit = await remove(browser, ann.password)
  expect([visit.status, await countRowsOfUsers(app.db)]).toMatchObject([500, { users: 1 }])
})

test('an account without a password is not deleted, and the error asks the user to set one', async () => {
  const { app, browser } = await onProfile()
  await browser.get('/settings/security')
  const other = app.browser()
  await logIn(other, ann)
  await addPasskeysAndTokens(app.db, app.now())
  await other.post('/settings/password', { _method: 'DELETE' }, stay)
  await other.get('/settings/profile')
  const visit = await remove(other, '')
  expect(visit.errors).toEqual({ password: errorWords.noPassword })
  expect(await countRowsOfUsers(app.db)).toMatchObject({ users: 1 })
})

test('of two simultaneous deletions, one works and the other is sent to log in', async () => {
  const { app, browser } = await onProfile({ hashing: 'as served' })
  const other = app.browser()
  await logIn(other, ann)
  const visits = await Promise.all([
    remove(browser, ann.password, stay),
    remove(other, ann.password, stay),
  ])
  expect(new Set(visits.map(({ location }) => location))).toEqual(new Set(['/', '/login']))
  expect(await allUsers(app.db)).toEqual([])
})

test('a deletion is not counted when it is refused because too many passwords wait to be hashed', async () => {
  const { app, browser } = await onProfile()
  const hashing = keepHashing(app, fullQueueOf('127.0.0.1'))
  const busy = await Promise.all([1, 2, 3, 4, 5].map(() => remove(browser, ann.password, stay)))
  await hashing.stop()
  const visit = await remove(browser, ann.password)
  expect(busy.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503])
  expect([visit.errors, visit.flash.success]).toEqual([{}, flashWords.accountDeleted])
})

test('a JSON client deletes the account, and gets an error for a wrong password', async () => {
  const { app, browser } = await onProfile()
  const send = (password: string) =>
    browser.send('DELETE', '/settings/profile', {
      body: JSON.stringify({ password }),
      type: 'application/json',
    })
  const wrong = await send('wrong word')
  const right = await send(ann.password)
  expect([wrong.status, wrong.json]).toMatchObject([
    422,
    { errors: { password: errorWords.wrongPassword } },
  ])
  expect([right.status, right.json]).toEqual([200, { redirect: '/' }])
  expect((await browser.get('/')).flash.success).toBe(flashWords.accountDeleted)
  expect(await allUsers(app.db)).toEqual([])
})

test('a plain form deletes the account', async () => {
  const { app, browser } = await onProfile()
  const fields = { _method: 'DELETE', password: ann.password }
  const visit = await browser.document('/settings/profile', fields)
  expect([visit.url, visit.flash.success]).toEqual(['/', flashWords.accountDeleted])
  expect(await allUsers(app.db)).toEqual([])
})
