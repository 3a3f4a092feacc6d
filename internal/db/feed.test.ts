import { expect, onTestFinished, test } from 'vitest'
import { broadcasts } from '#db/broadcasts'
import { openDatabase } from '#db/driver'
import { feeds } from '#db/feed'
import type { DatabaseAddress } from '../base/settings/config.ts'
import { noon, temporaryDatabase } from '../testing/database/database.ts'
import type { Database } from './db.ts'

/** Follows a database until the end of the test, and collects the received events. */
async function following(db: Database, address: DatabaseAddress) {
  const events: string[] = []
  const follower = {
    received: ({ channel, event }: { channel: string; event: string }) => {
      events.push(`${channel} ${event}`)
    },
    missed: () => void events.push('missed'),
    failed: (error: unknown) => void events.push(String(error)),
  }
  const feed = feeds.open({ db, address }, follower)
  onTestFinished(() => feed.close())
  await feed.started
  return { feed, events }
}

async function commit(db: Database, ...events: string[]): Promise<void> {
  await db.transaction(async (tx) => {
    for (const event of events) await broadcasts.insert(tx, { channel: 'users.1', event, at: noon })
  })
}

test('the feed reports each event committed after it began once and in order, and none from before', async () => {
  const { db, address } = await temporaryDatabase()
  await commit(db, 'before')
  const { feed, events } = await following(db, address)
  await commit(db, 'one')
  feed.wake()
  await commit(db, 'two', 'three')
  feed.wake()
  await expect.poll(() => events).toHaveLength(3)
  await commit(db, 'four')
  await expect.poll(() => events).toHaveLength(4)
  expect(events).toEqual(['one', 'two', 'three', 'four'].map((event) => `users.1 ${event}`))
})

test('the feed reports events that another process commits, without being woken', async () => {
  const { db, address } = await temporaryDatabase()
  const other = await openDatabase(address)
  onTestFinished(() => other.close())
  const { events } = await following(db, address)
  await commit(other, 'theirs')
  await expect.poll(() => events).toEqual(['users.1 theirs'])
})

test('the feed reports no event of a transaction that is rolled back', async () => {
  const { db, address } = await temporaryDatabase()
  const { feed, events } = await following(db, address)
  const failed = db.transaction(async (tx) => {
    await broadcasts.insert(tx, { channel: 'users.1', event: 'no', at: noon })
    throw new Error('not done')
  })
  await expect(failed).rejects.toThrow('not done')
  await commit(db, 'yes')
  feed.wake()
  await expect.poll(() => events).toEqual(['users.1 yes'])
})

test('each of two feeds reports every event, and a closed feed reports none', async () => {
  const { db, address } = await temporaryDatabase()
  const followers = [await following(db, address), await following(db, address)]
  const gone = await following(db, address)
  gone.feed.close()
  for (const count of [1, 2]) {
    await commit(db, 'one')
    for (const { feed } of [gone, ...followers]) feed.wake()
    await expect.poll(() => followers.map(({ events }) => events.length)).toEqual([count, count])
  }
  expect(gone.events).toEqual([])
})
