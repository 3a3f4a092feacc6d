import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { temporaryDatabase, noon } from '../../testing/database/database.ts'
import { hideBroadcasts, showBroadcasts } from '../../testing/database/broadcast-rows.ts'
import { publishMany } from '../../testing/sqlite/rows.ts'
import { feeds } from './feed.ts'

/** Follows a database that is polled when the test says so, and collects the received events. */
async function following() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { db, address } = await temporaryDatabase()
  const events: string[] = []
  const feed = feeds.open(
    { db, address },
    {
      received: ({ event }) => void events.push(event),
      missed: () => void events.push('missed'),
      failed: () => void events.push('failed'),
    },
  )
  onTestFinished(() => feed.close())
  await feed.started
  const publish = (times: number) => publishMany(db, { channel: 'users.1', times, at: noon })
  return { db, events, publish }
}

async function pass(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds)
  // A poll reads within a few turns of the event loop.
  for (let turns = 0; turns < 10; turns++) await nextTurn()
}

test('the feed reads events four times a second', async () => {
  const { events, publish } = await following()
  await publish(1)
  await pass(249)
  expect(events).toEqual([])
  await pass(1)
  expect(events).toEqual(['notification'])
})

test('a burst of 2,500 events is read in one poll', async () => {
  const { events, publish } = await following()
  await publish(2_500)
  await pass(250)
  expect(events).toHaveLength(2_500)
})

test('a failure to read events is reported once, and events are reported again once it is over', async () => {
  const { db, events, publish } = await following()
  await hideBroadcasts(db)
  for (let look = 0; look < 8; look++) await pass(250)
  expect(events).toEqual(['failed'])
  await showBroadcasts(db)
  await publish(1)
  await pass(250)
  expect(events).toEqual(['failed', 'notification'])
})

test('after a minute in which no events could be read, the feed reports that events may have been missed', async () => {
  const { db, events } = await following()
  await hideBroadcasts(db)
  await pass(60_000)
  await showBroadcasts(db)
  await pass(250)
  await pass(250)
  expect(events).toEqual(['failed', 'missed'])
})
