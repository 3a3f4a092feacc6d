import { expect, test } from 'vitest'
import { brandName } from '../../../web/brand/brand.ts'
import { linkIn } from '../../testing/mails.ts'
import { ann, registeredBrowser } from '../../testing/people.ts'
import { allBroadcasts } from '../../testing/database/broadcast-rows.ts'
import {
  allJobs,
  allNotifications,
  allUsers,
  setEmailOf,
  deleteUsers,
  verifyEmails,
} from '../../testing/database/rows.ts'
import { testApp } from '../../testing/test-app.ts'
import { push } from '../../services/jobs/push.ts'
import { notify } from './notify.ts'
import type { Notice } from './notification-kinds.ts'

/** Makes an app with running workers, where Ann is registered with a verified email. */
async function withAnn() {
  const app = await testApp({ workers: true })
  const browser = await registeredBrowser(app, ann)
  await app.outbox.next()
  await verifyEmails(app.db, app.now())
  const [user] = await allUsers(app.db)
  if (!user) throw new Error('nobody is registered')
  return { app, browser, user }
}

const emailChanged: Notice = { kind: 'email-changed', data: { email: 'new@x.test' } }

test('the mail about a changed email goes to the old address and links to the profile', async () => {
  const { app, user } = await withAnn()
  await app.db.transaction(async (tx) => {
    await setEmailOf(tx, user.id, 'new@x.test')
    await notify(app, tx, user, emailChanged)
  })
  const mail = await app.outbox.next()
  expect(mail).toMatchObject({
    to: [{ address: ann.email, name: ann.name }],
    subject: 'The email of your account was changed',
  })
  expect(mail.text).toContain('New email: new@x.test\n')
  expect(linkIn(mail)).toBe('/settings/profile#details')
})

test('the mail about a change is sent even if the account has been deleted since', async () => {
  const { app, user } = await withAnn()
  app.outbox.failNext()
  await app.db.transaction((tx) => notify(app, tx, user, { kind: 'password-removed', data: {} }))
  await expect.poll(() => app.logLines.some(({ message }) => message === 'job failed')).toBe(true)
  await deleteUsers(app.db)
  await app.pass({ minutes: 1 })
  expect((await app.outbox.next()).subject).toBe('Your password was removed')
})

test('a notification is stored, published and mailed together with its change, or not at all', async () => {
  const { app, user } = await withAnn()
  const failed = app.db.transaction(async (tx) => {
    await notify(app, tx, user, emailChanged)
    throw new Error('the change fails')
  })
  await expect(failed).rejects.toThrow('the change fails')
  await app.outbox.expectNone()
  expect(await allNotifications(app.db)).toEqual([])
  expect(await allBroadcasts(app.db)).toEqual([])
  await app.db.transaction((tx) => notify(app, tx, user, emailChanged))
  expect((await app.outbox.next()).subject).toBe('The email of your account was changed')
  expect(await allNotifications(app.db)).toMatchObject([{ userId: user.id, kind: 'email-changed' }])
  expect(await allBroadcasts(app.db)).toEqual([{ channel: 'users.1', event: 'notification' }])
})

test('the mail of a kind that only another version knows is left to it: its job is tried again, and names the kind', async () => {
  const { app, user } = await withAnn()
  const notice = { kind: 'horse-shod', data: {} } as unknown as Notice
  await app.db.transaction((tx) => notify(app, tx, user, notice))
  const error = expect.stringContaining('knows no mail about "horse-shod"')
  await expect.poll(() => allJobs(app.db)).toMatchObject([{ tries: 1, error, failedAt: null }])
  await app.outbox.expectNone()
})

test('a mail in a language that only another version has is sent in the default one', async () => {
  const { app, user } = await withAnn()
  const language = 'xx'
  const registration = { name: 'Bob', email: 'bob@x.test', language }
  await app.db.transaction(async (tx) => {
    await notify(app, tx, { ...user, language }, emailChanged)
    await push(app, tx, 'registration-mail', registration)
  })
  const mails = [await app.outbox.next(), await app.outbox.next()]
  expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
    `Finish making your ${brandName} account`,
    'The email of your account was changed',
  ])
})

test('every kind of mail has the support address and the links to terms and privacy', async () => {
  const [terms, privacy] = ['https://x.test/terms', 'https://x.test/privacy']
  const support = { text: 'help@x.test', href: 'mailto:help@x.test' }
  const app = await testApp({ workers: true, config: { links: { support, terms, privacy } } })
  const browser = await registeredBrowser(app, ann)
  const mails = [await app.outbox.next()]
  await app.browser().post('/forgot-password', { email: ann.email })
  mails.push(await app.outbox.next())
  await app.browser().post('/register/passkey', { name: 'Bob', email: 'bob@x.test' })
  mails.push(await app.outbox.next())
  await verifyEmails(app.db, app.now())
  await browser.post('/settings/tokens', { name: 'CI', abilities: '*', expiry: 'never' })
  mails.push(await app.outbox.next())
  const lacking = mails.filter(
    ({ text }) => ![support.text, terms, privacy].every((it) => text.includes(it)),
  )
  expect(lacking.map(({ subject }) => subject)).toEqual([])
})
