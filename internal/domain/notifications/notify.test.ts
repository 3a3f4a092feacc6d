import { expect, test } from 'vitest'
import { linkIn } from '../../testing/mails.ts'
import { ann, behindProxy, from, logIn, registeredBrowser } from '../../testing/people.ts'
import { allJobs, allNotifications, allThrottles } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { notify } from './notify.ts'
import type { Notice } from './notification-kinds.ts'

const config = { workers: true, ...behindProxy }

/** Logs in from that many new browsers, each at its own address; a few at once, to suit a busy machine. */
async function logInFrom(app: TestApp, browsers: number, net = '192.0.2'): Promise<void> {
  const addresses = Array.from({ length: browsers }, (_, n) => `${net}.${n}`)
  while (addresses.length > 0) {
    const logins = addresses.splice(0, 5).map((at) => logIn(app.browser(), ann, from(at)))
    const answers = await Promise.all(logins)
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  }
}

test('an unverified email is mailed at most one notice a minute, and all notices are stored', async () => {
  const app = await testApp(config)
  await registeredBrowser(app, ann)
  await app.outbox.next()
  await logInFrom(app, 25)
  await app.outbox.next()
  await app.outbox.expectNone()
  await app.pass({ minutes: 1 })
  await logInFrom(app, 2, '198.51.100')
  await app.outbox.next()
  await app.outbox.expectNone()
  expect(await allNotifications(app.db)).toHaveLength(27)
})

test('an unverified email is mailed at most ten notices a day', async () => {
  const app = await testApp(config)
  await registeredBrowser(app, ann)
  await app.outbox.next()
  for (let n = 0; n < 12; n++) {
    await logInFrom(app, 1, `192.0.${n}`)
    await app.pass({ minutes: 1 })
  }
  await expect.poll(() => allJobs(app.db)).toEqual([])
  const sent = app.outbox.mails.filter(({ subject }) => subject === 'A new login to your account')
  await app.pass({ days: 1 })
  await logInFrom(app, 1, '198.51.100')
  await expect.poll(() => app.outbox.mails.length).toBe(12)
  expect(sent).toHaveLength(10)
  expect(await allNotifications(app.db)).toHaveLength(13)
})

test('mailed notices are counted by email, whichever account has it', async () => {
  const app = await testApp(config)
  const browser = await registeredBrowser(app, ann)
  await app.outbox.next()
  await logInFrom(app, 1)
  await app.outbox.next()
  await browser.post('/settings/profile', { _method: 'DELETE', password: ann.password })
  await registeredBrowser(app, { ...ann, email: 'ANN@x.test' })
  await logInFrom(app, 1, '198.51.100')
  await app.outbox.expectNone()
})

test('a verified email is mailed every notice', async () => {
  const app = await testApp(config)
  const browser = await registeredBrowser(app, ann)
  await browser.get(linkIn(await app.outbox.next()))
  await logInFrom(app, 12)
  await expect.poll(() => app.outbox.mails.length).toBe(13)
})

test('a notice that is rolled back is not counted', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const before = await allThrottles(app.db)
  const user = { id: 1, ...ann, emailVerifiedAt: null, language: null, lastLanguage: null }
  const notice: Notice = { kind: 'password-removed', data: {} }
  const failed = app.db.transaction(async (tx) => {
    await notify(app, tx, user, notice)
    throw new Error('the change fails')
  })
  await expect(failed).rejects.toThrow('the change fails')
  expect(await allThrottles(app.db)).toEqual(before)
})
