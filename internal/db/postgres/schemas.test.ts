import { expect, onTestFinished, test } from 'vitest'
import { migrations, noon, temporaryDatabase } from '../../testing/database/database.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import { script } from '../../testing/postgres/alter-database.ts'
import { holdMigrations } from '../../testing/postgres/migrating.ts'
import { snapshots } from '#db/snapshot'
import { broadcasts } from './broadcasts.ts'
import { openDatabase } from './driver.ts'
import { feeds } from './feed.ts'
import { migrate } from './migrations.ts'
import type { Database } from '../db.ts'

/** Creates two migrated schemas in one database, each with its address. */
async function twoSchemas() {
  const { db, address } = await temporaryDatabase()
  await db.close()
  await script(address, 'CREATE SCHEMA other')
  const other = { url: `${urlOf(address)}?search_path=other` }
  await migrate(other, migrations, noon)
  return { address, other }
}

async function opened(address: { url: string } | { file: string }): Promise<Database> {
  const db = await openDatabase(address)
  onTestFinished(() => db.close())
  return db
}

test('a feed reports all events of its own schema and none of another', async () => {
  const { address, other } = await twoSchemas()
  const places = [
    { at: address, event: 'ours' },
    { at: other, event: 'theirs' },
  ]
  const followers = await Promise.all(
    places.map(async ({ at, event }) => {
      const db = await opened(at)
      const events: string[] = []
      const follower = {
        received: (one: { event: string }) => void events.push(one.event),
        missed() {},
      }
      const feed = feeds.open({ db, address: at }, { ...follower, failed() {} })
      onTestFinished(() => feed.close())
      await feed.started
      return { db, event, events }
    }),
  )
  for (const number of [1, 2])
    for (const { db, event } of followers)
      await db.transaction((tx) =>
        broadcasts.insert(tx, { channel: 'users.1', event: `${event} ${number}`, at: noon }),
      )
  // All are notified in the order of the commits.
  for (const { events, event } of followers)
    await expect.poll(() => events.at(-1)).toBe(`${event} 2`)
  expect(followers.map(({ events }) => events)).toEqual([
    ['ours 1', 'ours 2'],
    ['theirs 1', 'theirs 2'],
  ])
})

test('a schema can be restored while a server uses another schema, but not while one uses its own', async () => {
  const { address, other } = await twoSchemas()
  const theirs = await opened(other)
  const held = await snapshots.hold(address, noon)
  expect([held === undefined, await snapshots.hold(other, noon)]).toEqual([false, undefined])
  await held?.end()
  await theirs.close()
  const free = await snapshots.hold(other, noon)
  expect(free).toBeDefined()
  await free?.end()
})

test('migrations of one schema do not wait for those of another', async () => {
  const { address, other } = await twoSchemas()
  const ours = await holdMigrations(address)
  const cats = { name: '29991231000000_cats.sql', sql: 'CREATE TABLE cats (id integer)' }
  expect(await migrate(other, [...migrations, cats], noon)).toEqual([cats.name])
  await ours.end()
})
