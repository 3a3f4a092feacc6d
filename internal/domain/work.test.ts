import { expect, onTestFinished, test, vi } from 'vitest'
import type { EventName } from '../../web/contract/event-names.ts'
import { publish } from '../services/events.ts'
import { addEntry, addSession, countSessions, entryKeys } from '../testing/database/ended-rows.ts'
import { allBroadcasts } from '../testing/database/broadcast-rows.ts'
import { addNotification } from '../testing/database/notification-rows.ts'
import {
  addFailedJob,
  addJobs,
  allNotifications,
  allBrowsers,
  allJobs,
  allLogins,
  allThrottles,
} from '../testing/database/rows.ts'
import { ann, logIn, registeredBrowser } from '../testing/people.ts'
import { testApp } from '../testing/test-app.ts'
import { take } from '../services/throttle.ts'
import { schedule, work } from './work.ts'

const forever = new AbortController().signal

test('every scheduled job of the specification has its interval and its work', () => {
  expect(
    Object.fromEntries(schedule.map(({ name, every }) => [name, every])),
    'One of your own goes into this list too.',
  ).toEqual({
    'prune-jobs': 'night',
    'prune-logins': 'hour',
    'prune-throttles': 'hour',
    'prune-sessions': 'hour',
    'prune-cache': 'hour',
    'prune-broadcasts': 'minute',
    'prune-notifications': 'night',
  })
  expect(schedule.filter(({ name }) => !work[name])).toEqual([])
})

test('every job that sends mail counts towards the share of mail', () => {
  const mailing = Object.entries(work).filter(([, { resource }]) => resource === 'mail')
  expect(
    mailing.map(([name]) => name),
    'One of your own goes into this list too.',
  ).toEqual(['VerifyMail', 'ResetMail', 'registration-mail', 'notification-mail'])
})

test('prune-jobs deletes failed jobs after a month and leaves waiting ones', async () => {
  const app = await testApp()
  const fail = () => addFailedJob(app.db, { name: 'x', error: 'no', tries: 10, at: app.now() })
  await fail()
  await app.pass({ days: 2 })
  await fail()
  await addJobs(app.db, 'waiting', ['a'])
  await app.pass({ days: 30 })
  await work['prune-jobs']?.run(app, {}, forever)
  expect((await allJobs(app.db)).map(({ name }) => name)).toEqual(['x', 'waiting'])
})

test('prune-logins deletes logins that have ended and leaves the others', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await app.pass({ hours: 1.9 })
  await work['prune-logins']?.run(app, {}, forever)
  const before = await allLogins(app.db)
  await app.pass({ hours: 0.1 })
  await work['prune-logins']?.run(app, {}, forever)
  expect(before).toHaveLength(1)
  expect(await allLogins(app.db)).toEqual([])
})

test('prune-logins deletes browsers without a login for a year and leaves the others', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  await app.pass({ days: 1 })
  await logIn(app.browser(), ann)
  await app.pass({ days: 363 })
  await work['prune-logins']?.run(app, {}, forever)
  const before = await allBrowsers(app.db)
  await app.pass({ days: 1 })
  await work['prune-logins']?.run(app, {}, forever)
  const after = await allBrowsers(app.db)
  expect([before, after]).toMatchObject([[{}, {}], [{ lastLoginAt: before[1]?.lastLoginAt }]])
  expect(after).toHaveLength(1)
})

test('prune-throttles deletes all rows whose window is over and leaves the others', async () => {
  const app = await testApp()
  for (const part of Array(6).keys())
    await Promise.all(Array.from({ length: 200 }, (_, i) => take(app, 'logins', `${part} ${i}`)))
  await app.pass({ seconds: 60 })
  await take(app, 'logins', 'ann')
  await work['prune-throttles']?.run(app, {}, forever)
  expect(await allThrottles(app.db)).toHaveLength(1)
})

test('prune-sessions deletes expired sessions and leaves the others', async () => {
  const app = await testApp()
  const add = (end: number) => addSession(app.db, new Date(app.now().getTime() + end))
  await Promise.all([add(-1), add(0), add(1)])
  await work['prune-sessions']?.run(app, {}, forever)
  expect(await countSessions(app.db)).toBe(1)
})

test('what a prune does not reach in its time is deleted by another prune that is queued at once', async () => {
  const app = await testApp()
  const ended = new Date(app.now().getTime() - 1)
  await Promise.all(Array.from({ length: 600 }, () => addSession(app.db, ended)))
  const real = performance.now.bind(performance)
  let late = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => real() + late)
  onTestFinished(() => clock.mockRestore())
  // Each step takes a minute.
  const slow = { ...app, now: () => ((late += 60_000), app.now()) }
  const prune = () => work['prune-sessions'].run(slow, {}, forever)
  await prune()
  const waiting = (await allJobs(app.db)).map(({ name }) => name)
  expect([await countSessions(app.db), waiting]).toEqual([100, ['prune-sessions']])
  await prune()
  expect([await countSessions(app.db), await allJobs(app.db)]).toMatchObject([0, { length: 1 }])
})

test('prune-cache deletes expired entries and leaves those without an expiry', async () => {
  const app = await testApp()
  const add = (key: string, end: Date | null) => addEntry(app.db, key, end)
  const later = new Date(app.now().getTime() + 1)
  await Promise.all([add('ended', app.now()), add('lives', later), add('for ever', null)])
  await work['prune-cache']?.run(app, {}, forever)
  expect(await entryKeys(app.db)).toEqual(['for ever', 'lives'])
})

test('prune-broadcasts deletes broadcasts a minute old and leaves newer ones', async () => {
  const app = await testApp()
  const add = (event: EventName) => app.db.transaction((tx) => publish(app, tx, 1, event))
  await add('verified')
  await app.pass({ seconds: 1 })
  await add('notification')
  await app.pass({ seconds: 60 })
  await work['prune-broadcasts']?.run(app, {}, forever)
  expect(await allBroadcasts(app.db)).toMatchObject([{ event: 'notification' }])
})

test('prune-notifications deletes notifications 90 days after they were read and leaves unread ones', async () => {
  const app = await testApp()
  await registeredBrowser(app, ann)
  const add = (readAt: Date | null) =>
    addNotification(app.db, { userId: 1, kind: 'new-login', at: app.now(), readAt })
  await add(app.now())
  await add(null)
  await app.pass({ seconds: 2 })
  await add(app.now())
  await app.pass({ days: 89, hours: 23, minutes: 59, seconds: 59 })
  await work['prune-notifications']?.run(app, {}, forever)
  expect(await allNotifications(app.db)).toMatchObject([{ id: 2 }, { id: 3 }])
})
