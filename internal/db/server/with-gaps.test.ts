import { expect, onTestFinished, test, vi } from 'vitest'
import { addresses } from '#db/address'
import { broadcasts } from '#db/broadcasts'
import { openDatabase } from '#db/driver'
import { feeds } from '#db/feed'
import { noon, temporaryDatabase } from '../../testing/database/database.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import type { Database } from '../db.ts'

/** Opens a feed that reads when the test says so, by the test's clock, and collects its events. */
async function following() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { db, address } = await temporaryDatabase()
  const other = await openDatabase(address)
  onTestFinished(() => other.close())
  const events: string[] = []
  const feed = feeds.open(
    // As behind a pooler, so that the feed polls instead of listening, on any server.
    { db, address: { url: `${urlOf(address)}?prepare=false` } },
    {
      received: ({ event }) => void events.push(event),
      missed: () => void events.push('missed'),
      failed: (error) => void events.push(String(error)),
    },
  )
  onTestFinished(() => feed.close())
  await feed.started
  /** Commits an event, and reads until it is the last one delivered. */
  const read = async (event: string) => {
    await publish(db, event)
    feed.wake()
    await expect.poll(() => events.at(-1)).toBe(event)
  }
  return { other, events, read }
}

function publish(db: Database, event: string, meanwhile = async () => {}): Promise<void> {
  return db.transaction(async (tx) => {
    await broadcasts.insert(tx, { channel: 'users.1', event, at: noon })
    await meanwhile()
  })
}

/** Delays the reader: the clock advances, and nothing is read. */
function hold(seconds: number): void {
  const real = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => real() + seconds * 1000)
}

/** Lets the machine sleep: its clock advances, `performance.now()` does not, and nothing is read. */
function sleep(seconds: number): void {
  const real = Date.now.bind(Date)
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => real() + seconds * 1000)
  onTestFinished(() => clock.mockRestore())
}

// An embedded database assigns IDs in the order of the commits.
const onServer = test.runIf(addresses.setting === 'DB_URL')

onServer(
  'an event committed late, while the reader was delayed for 46 seconds, is still reported',
  async () => {
    const { other, events, read } = await following()
    await publish(other, 'late', () => read('higher'))
    hold(46)
    await read('after')
    // The reader reads by itself too, and on a busy machine it may just have done so.
    const between = events.slice(1, -1).toSorted()
    expect([events[0], between, events.at(-1)]).toEqual(['higher', ['late', 'missed'], 'after'])
  },
)

onServer(
  'events that may have been pruned while the reader was delayed are reported as missed',
  async () => {
    const { events, read } = await following()
    await read('before')
    hold(11)
    await read('after')
    expect(events).toEqual(['before', 'missed', 'after'])
  },
)

onServer('events that may have been pruned while the machine slept are missed', async () => {
  const { events, read } = await following()
  await read('before')
  sleep(11)
  await read('after')
  expect(events).toEqual(['before', 'missed', 'after'])
})
