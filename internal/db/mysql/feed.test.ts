import { expect, onTestFinished, test } from 'vitest'
import { noon, temporaryDatabase } from '../../testing/database/database.ts'
import type { Database } from '../db.ts'
import { broadcasts } from './broadcasts.ts'
import { openDatabase } from './driver.ts'
import { feeds } from './feed.ts'

async function following() {
  const { db, address } = await temporaryDatabase()
  const other = await openDatabase(address)
  onTestFinished(() => other.close())
  const events: string[] = []
  const follow = async () => {
    const feed = feeds.open(
      { db, address },
      {
        received: ({ event }) => void events.push(event),
        missed: () => void events.push('missed'),
        failed: (error) => void events.push(String(error)),
      },
    )
    onTestFinished(() => feed.close())
    await feed.started
  }
  return { db, other, events, follow }
}

function publish(db: Database, event: string, meanwhile = async () => {}): Promise<void> {
  return db.transaction(async (tx) => {
    await broadcasts.insert(tx, { channel: 'users.1', event, at: noon })
    await meanwhile()
  })
}

test('an event with a lower number that is committed later is reported once', async () => {
  const { db, other, events, follow } = await following()
  await follow()
  await publish(db, 'lower', async () => {
    await publish(other, 'higher')
    await expect.poll(() => events).toEqual(['higher'])
  })
  await expect.poll(() => events).toEqual(['higher', 'lower'])
  await publish(other, 'last')
  await expect.poll(() => events).toEqual(['higher', 'lower', 'last'])
})

test('an event that got its number before the feed began and is committed afterwards is reported', async () => {
  const { db, other, events, follow } = await following()
  await publish(other, 'early', async () => {
    await publish(db, 'before')
    await follow()
  })
  await expect.poll(() => events).toEqual(['early'])
})

function fails(): Promise<never> {
  return Promise.reject(new Error('not done'))
}

test('the numbers of rolled-back events do not hold up the feed', async () => {
  const { db, events, follow } = await following()
  await follow()
  await expect(publish(db, 'no', fails)).rejects.toThrow('not done')
  await publish(db, 'yes')
  await publish(db, 'and on')
  await expect.poll(() => events).toEqual(['yes', 'and on'])
})
