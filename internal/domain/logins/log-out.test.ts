import { expect, test } from 'vitest'
import { logins } from '#db/logins'
import { users } from '#db/users'
import { loginOf } from '../../testing/database/user-rows.ts'
import { ann, bob, logIn, registeredBrowser } from '../../testing/people.ts'
import { allLogins, allUsers, turnOnTwoFactor, waitingLogins } from '../../testing/database/rows.ts'
import { openStream } from '../../testing/network/event-stream.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import { asAdministrator } from '../accounts/as-administrator.ts'
import { logOutAll } from './log-out.ts'

async function logOutAnn(app: TestApp) {
  const [user] = await allUsers(app.db)
  return asAdministrator(app, user?.id ?? 0, (tx, { id }) => logOutAll(app, tx, id))
}

test('logging a user out ends and counts all logins of that user only', async () => {
  const app = await testApp()
  const first = await registeredBrowser(app, ann)
  const other = await registeredBrowser(app, bob)
  const second = app.browser()
  await logIn(second, ann)
  const done = await logOutAnn(app)
  expect(done).toEqual({ logins: 2, waiting: 0 })
  expect((await first.get('/dashboard')).url).toBe('/login')
  expect((await second.get('/dashboard')).url).toBe('/login')
  expect((await other.get('/settings/profile')).user?.name).toBe('Bob')
})

test('logging a user out deletes a login that had already ended, without counting it', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await app.pass({ hours: 3 })
  expect(await logOutAnn(app)).toEqual({ logins: 0, waiting: 0 })
  expect(await allLogins(app.db)).toEqual([])
})

test('logging a user out waits for a login that is being created, and ends it', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const isMade = Promise.withResolvers<void>()
  const isOver = Promise.withResolvers<void>()
  const making = app.db.transaction(async (tx) => {
    const user = await users.hold(tx, 1)
    if (user) await logins.insert(tx, loginOf(user, 'another'))
    isMade.resolve()
    await isOver.promise
  })
  await isMade.promise
  const done = logOutAnn(app)
  // Gives the logout every chance to overtake the login.
  for (let times = 0; times < 50; times++) await app.db.ping()
  isOver.resolve()
  await making
  expect(await done).toMatchObject({ logins: 2 })
  expect(await allLogins(app.db)).toEqual([])
})

test('logging out a user who does not exist returns undefined', async () => {
  const app = await testApp()
  expect(await logOutAnn(app)).toBeUndefined()
})

test('logging a user out ends a login that waits for its code', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await turnOnTwoFactor(app.db)
  const waiting = app.browser()
  await logIn(waiting, ann)
  expect(await logOutAnn(app)).toEqual({ logins: 1, waiting: 1 })
  expect(await waitingLogins(app.db)).toEqual([])
  expect((await waiting.get('/two-factor-challenge')).url).toBe('/login')
})

test('open pages are notified at once when their user is logged out', async () => {
  const app = await testApp()
  const stream = await openStream(app.port, await registeredBrowser(app, ann))
  await logOutAnn(app)
  await stream.events('notification')
})
