import { expect, test } from 'vitest'
import { ann, bob, logIn, registered } from '../../testing/people.ts'
import { allLogins, allUsers, turnOnTwoFactor, waitingLogins } from '../../testing/rows.ts'
import { openStream } from '../../testing/stream.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { logOutAll } from './log-out.ts'

async function logOutAnn(app: TestApp) {
  const [user] = await allUsers(app.db)
  return app.db.transaction((tx) => logOutAll(app, tx, user?.id ?? 0))
}

test('every browser of the user is logged out and counted, and nobody else', async () => {
  const app = await testApp()
  const first = await registered(app, ann)
  const other = await registered(app, bob)
  const second = app.browser()
  await logIn(second, ann)
  const done = await logOutAnn(app)
  expect(done).toEqual({ logins: 2, waiting: 0 })
  expect((await first.get('/dashboard')).url).toBe('/login')
  expect((await second.get('/dashboard')).url).toBe('/login')
  expect((await other.get('/settings/profile')).user?.name).toBe('Bob')
})

test('a login that had ended by itself is not counted, and goes too', async () => {
  const app = await testApp()
  await registered(app, ann)
  await app.pass({ hours: 3 })
  expect(await logOutAnn(app)).toEqual({ logins: 0, waiting: 0 })
  expect(await allLogins(app.db)).toEqual([])
})

test('a login that waits for its code waits no more', async () => {
  const app = await testApp()
  await registered(app, ann)
  await turnOnTwoFactor(app.db)
  const waiting = app.browser()
  await logIn(waiting, ann)
  expect(await logOutAnn(app)).toEqual({ logins: 1, waiting: 1 })
  expect(await waitingLogins(app.db)).toEqual([])
  expect((await waiting.get('/two-factor-challenge')).url).toBe('/login')
})

test('open pages are told at once', async () => {
  const app = await testApp()
  const stream = await openStream(app.port, await registered(app, ann))
  await logOutAnn(app)
  await stream.events('notification')
})
