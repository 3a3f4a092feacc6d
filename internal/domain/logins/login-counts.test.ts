import { expect, test } from 'vitest'
import { browsers } from '#db/browsers'
import { users } from '#db/users'
import { addLogins } from '../../testing/database/add-logins.ts'
import { ann, registeredBrowser } from '../../testing/people.ts'
import {
  allBrowsers,
  allJobs,
  allLogins,
  allNotifications,
  verifyEmails,
} from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { randomId, sha256 } from '../../base/crypto/random.ts'
import { mostMailed } from '../notifications/notice-counts.ts'
import { betweenLooks, mostKept } from './login-counts.ts'
import { makeLogin } from './make-login.ts'

/** Logs the first account in from many new browsers, each after so many transactions that are rolled back. */
async function logInOften(app: TestApp, times: number, rolledBack = 0): Promise<void> {
  const user = await users.byId(app.db, 1)
  if (!user) throw new Error('There is no account.')
  for (let time = 0; time < times; time++) {
    const browser = { id: randomId(), userAgent: '', address: '192.0.2.1', language: 'en' } as const
    const made = { browser, remember: true, tells: true }
    for (let run = 0; run < rolledBack; run++)
      await expect(
        app.db.transaction(async (tx) => {
          await makeLogin(app, tx, user, made)
          throw new Error('once more')
        }),
      ).rejects.toThrow('once more')
    await app.db.transaction((tx) => makeLogin(app, tx, user, made))
  }
}

async function withAnn(): Promise<TestApp> {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await verifyEmails(app.db, app.now())
  return app
}

test('only the last thousand logins of an account that logs in without end are kept', async () => {
  const app = await withAnn()
  const endsAt = new Date(app.now().getTime() - 1)
  await addLogins(app.db, { count: mostKept.logins + 100, endsAt })
  await app.db.transaction(async (tx) => {
    for (let n = 0; n < mostKept.browsers; n++)
      await browsers.recordLogin(tx, { userId: 1, hash: sha256(String(n)), at: endsAt })
  })
  await logInOften(app, betweenLooks)
  await expect.poll(async () => (await allLogins(app.db)).length).toBe(mostKept.logins)
  await expect.poll(async () => (await allBrowsers(app.db)).length).toBe(mostKept.browsers)
  const kept = await allLogins(app.db)
  expect(kept.filter(({ loggedInAt }) => loggedInAt > endsAt).length).toBe(1 + betweenLooks)
})

test('every login from a new browser stores a notification, and at most twenty a minute are mailed', async () => {
  const app = await withAnn()
  const mails = async () =>
    (await allJobs(app.db)).filter(({ name }) => name === 'notification-mail').length
  await logInOften(app, mostMailed + 5)
  expect([(await allNotifications(app.db)).length, await mails()]).toEqual([
    mostMailed + 5,
    mostMailed,
  ])
  await app.pass({ minutes: 1 })
  await logInOften(app, 1)
  expect(await mails()).toBe(mostMailed + 1)
})

test('a login whose transaction is run again is counted once', async () => {
  const app = await withAnn()
  await logInOften(app, mostMailed, 2)
  const mails = (await allJobs(app.db)).filter(({ name }) => name === 'notification-mail')
  expect(mails).toHaveLength(mostMailed)
})
