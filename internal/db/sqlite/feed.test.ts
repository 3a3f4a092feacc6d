import { setImmediate as turn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryDatabase, noon } from '../../testing/database/database.ts'
import { hideBroadcasts, showBroadcasts } from '../../testing/database/broadcast-rows.ts'
import { flood } from '../../testing/sqlite/rows.ts'
import { feeds } from './feed.ts'

/** One who follows a database that is read when the test says so, and what they were told. */
async function following() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { db, address } = await temporaryDatabase()
  const told: string[] = []
  const feed = feeds.open(
    { db, address },
    {
      told: ({ event }) => void told.push(event),
      missed: () => void told.push('missed'),
      failed: () => void told.push('failed'),
    },
  )
  onTestFinished(() => feed.close())
  await feed.begun
  const publish = (times: number) => flood(db, { channel: 'users.1', times, at: noon })
  return { db, told, publish }
}

async function pass(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds)
  // What a look reads, it reads within a few turns.
  for (let turns = 0; turns < 10; turns++) await turn()
}

test('it reads four times a second', async () => {
  const { told, publish } = await following()
  await publish(1)
  await pass(249)
  expect(told).toEqual([])
  await pass(1)
  expect(told).toEqual(['notification'])
})

test('a burst is read through at one look', async () => {
  const { told, publish } = await following()
  await publish(2_500)
  await pass(250)
  expect(told).toHaveLength(2_500)
})

test('what cannot be read is told once, and read once it can be', async () => {
  const { db, told, publish } = await following()
  await hideBroadcasts(db)
  for (let look = 0; look < 8; look++) await pass(250)
  expect(told).toEqual(['failed'])
  await showBroadcasts(db)
  await publish(1)
  await pass(250)
  expect(told).toEqual(['failed', 'notification'])
})

test('after a minute in which nothing could be read some may be lost, and it says so', async () => {
  const { db, told } = await following()
  await hideBroadcasts(db)
  await pass(60_000)
  await showBroadcasts(db)
  await pass(250)
  await pass(250)
  expect(told).toEqual(['failed', 'missed'])
})
