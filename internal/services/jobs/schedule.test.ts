import { expect, test } from 'vitest'
import { jobs } from '#db/jobs'
import { allJobs, deleteJobs } from '../../testing/database/rows.ts'
import { testApp } from '../../testing/test-app.ts'
import { Schedule } from './schedule.ts'

const rows = [
  { name: 'prune-broadcasts', every: 'minute' },
  { name: 'prune-logins', every: 'hour' },
  { name: 'prune-jobs', every: 'night' },
] as const

/** Returns an app at 10:00:00 on a Monday, and a function that returns what the schedule pushes. */
async function scheduling() {
  const app = await testApp()
  const schedule = new Schedule(app, rows)
  const pushed = async (by = schedule) => {
    await deleteJobs(app.db)
    await by.pushDue()
    return (await allJobs(app.db)).map(({ name }) => name)
  }
  return { app, pushed }
}

const jobNames = ['prune-broadcasts', 'prune-logins', 'prune-jobs']

test('at the first start every scheduled job is due, and then none until a period begins', async () => {
  const { pushed } = await scheduling()
  expect(await pushed()).toEqual(jobNames)
  expect(await pushed()).toEqual([])
})

test('scheduled jobs are pushed every minute, every hour and every night at 3:00 UTC', async () => {
  const { app, pushed } = await scheduling()
  await pushed()
  await app.pass({ seconds: 59.9 })
  const before = await pushed()
  await app.pass({ seconds: 0.1 })
  const minute = await pushed()
  await app.pass({ minutes: 59 })
  const hour = await pushed()
  await app.pass({ hours: 15, minutes: 59 })
  const evening = await pushed()
  await app.pass({ minutes: 1 })
  expect([before, minute, hour, evening]).toEqual([
    [],
    ['prune-broadcasts'],
    ['prune-broadcasts', 'prune-logins'],
    ['prune-broadcasts', 'prune-logins'],
  ])
  expect(await pushed()).toEqual(jobNames)
})

test('a weekly job is pushed on Monday at 3:00 UTC, and made up for when it was missed', async () => {
  const { app, pushed } = await scheduling()
  const weekly = [{ name: 'prune-cache', every: 'week' }] as const
  const schedule = new Schedule(app, weekly)
  const monday = await pushed(schedule)
  await app.pass({ days: 6, hours: 16, minutes: 59 })
  const before = await pushed(schedule)
  await app.pass({ minutes: 1 })
  const next = await pushed(schedule)
  await app.pass({ days: 10 })
  const later = await pushed(new Schedule(app, weekly))
  expect([monday, before, next, later]).toEqual([
    ['prune-cache'],
    [],
    ['prune-cache'],
    ['prune-cache'],
  ])
})

test('only one of several instances pushes the scheduled jobs', async () => {
  const { app, pushed } = await scheduling()
  const others = [1, 2, 3].map(() => new Schedule(app, rows))
  const first = await pushed()
  await deleteJobs(app.db)
  await Promise.all(others.map((schedule) => schedule.pushDue()))
  expect(first).toEqual(jobNames)
  expect(await allJobs(app.db)).toEqual([])
})

test('an instance that missed nights makes up for them once, at its start', async () => {
  const { app, pushed } = await scheduling()
  await pushed()
  await app.pass({ days: 9 })
  const restarted = new Schedule(app, rows)
  expect(await pushed(restarted)).toEqual(jobNames)
  expect(await pushed(restarted)).toEqual([])
})

test('a scheduled job that still waits or runs is not pushed again', async () => {
  const { app } = await scheduling()
  const schedule = new Schedule(app, rows)
  await schedule.pushDue()
  const due = { now: app.now(), beyond: app.now() }
  await jobs.claim(app.db, { name: 'prune-logins', by: 'another process', ...due })
  await app.pass({ days: 1 })
  await schedule.pushDue()
  const left = await allJobs(app.db)
  expect(left.map(({ name, claimedBy }) => [name, claimedBy])).toEqual([
    ['prune-broadcasts', null],
    ['prune-logins', 'another process'],
    ['prune-jobs', null],
  ])
})

test('an instance whose clock is behind does not push scheduled jobs again', async () => {
  const { app, pushed } = await scheduling()
  await pushed()
  await app.pass({ seconds: -1 })
  expect(await pushed(new Schedule(app, rows))).toEqual([])
})

test('a clock that ran 40 days ahead and was set back does not stop the schedule', async () => {
  const { app, pushed } = await scheduling()
  await app.pass({ days: 40 })
  await pushed()
  await app.pass({ days: -40 })
  expect(await pushed()).toEqual(jobNames)
})
