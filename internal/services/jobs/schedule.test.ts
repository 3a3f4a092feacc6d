import { expect, test } from 'vitest'
import { allJobs, loseJobs } from '../../testing/database/rows.ts'
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
    await loseJobs(app.db)
    await by.pushDue()
    return (await allJobs(app.db)).map(({ name }) => name)
  }
  return { app, pushed }
}

const jobNames = ['prune-broadcasts', 'prune-logins', 'prune-jobs']

test('at its first start everything is due, and then nothing until a period begins', async () => {
  const { pushed } = await scheduling()
  expect(await pushed()).toEqual(jobNames)
  expect(await pushed()).toEqual([])
})

test('every minute, every hour and every night at 3:00 UTC', async () => {
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

test('every week in the night of Monday, and one that was missed is made up for', async () => {
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

test('of several instances one pushes', async () => {
  const { app, pushed } = await scheduling()
  const others = [1, 2, 3].map(() => new Schedule(app, rows))
  const first = await pushed()
  await loseJobs(app.db)
  await Promise.all(others.map((schedule) => schedule.pushDue()))
  expect(first).toEqual(jobNames)
  expect(await allJobs(app.db)).toEqual([])
})

test('one that missed a night makes up for it once, at its start', async () => {
  const { app, pushed } = await scheduling()
  await pushed()
  await app.pass({ days: 9 })
  const restarted = new Schedule(app, rows)
  expect(await pushed(restarted)).toEqual(jobNames)
  expect(await pushed(restarted)).toEqual([])
})

test('a job that still waits or runs is not pushed a second time', async () => {
  const { app } = await scheduling()
  const schedule = new Schedule(app, rows)
  await schedule.pushDue()
  await app.pass({ days: 1 })
  await schedule.pushDue()
  expect(await allJobs(app.db)).toHaveLength(3)
})

test('an instance whose clock is behind pushes nothing again', async () => {
  const { app, pushed } = await scheduling()
  await pushed()
  await app.pass({ seconds: -1 })
  expect(await pushed(new Schedule(app, rows))).toEqual([])
})

test('a clock that ran 40 days ahead and was set back stops no schedule', async () => {
  const { app, pushed } = await scheduling()
  await app.pass({ days: 40 })
  await pushed()
  await app.pass({ days: -40 })
  expect(await pushed()).toEqual(jobNames)
})
