import { expect, onTestFinished, test, vi } from 'vitest'
import { cuttingProxy } from '../../testing/network/cutting-proxy.ts'
import { lossyProxy } from '../../testing/network/lossy-proxy.ts'
import { noon, temporaryDatabase } from '../../testing/database/database.ts'
import { urlOf } from '../../testing/database/on-server.ts'
import { testApp } from '../../testing/test-app.ts'
import { broadcasts } from './broadcasts.ts'
import { openDatabase } from './driver.ts'
import { feeds } from './feed.ts'
import { longestSilence, patience } from '../server/keep-talking.ts'
import type { Database } from '../db.ts'

/** Follows a feed until the end of the test, and collects its events. `query`: of the database's URL. */
async function following(query = '') {
  const { db, ...place } = await temporaryDatabase()
  const address = { url: `${urlOf(place.address)}${query}` }
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
  return { db, address, events }
}

/** Ends the listening connections. */
async function endListeners(db: Database): Promise<void> {
  await db.all`
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN%'`
}

function commit(db: Database, event: string): Promise<void> {
  return db.transaction((tx) => broadcasts.insert(tx, { channel: 'users.1', event, at: noon }))
}

test('a feed that loses its connection listens on another and reports that events may have been missed', async () => {
  const { db, events } = await following()
  await commit(db, 'one')
  await expect.poll(() => events).toEqual(['one'])
  await endListeners(db)
  await expect.poll(() => events).toEqual(['one', 'missed'])
  await commit(db, 'two')
  await expect.poll(() => events).toEqual(['one', 'missed', 'two'])
})

test('the feed ignores notifications that no server has sent', async () => {
  const { db, events } = await following()
  for (const payload of ['', 'x', 'null', '7', '{}', '{"id":1,"channel":"users.1","event":null}'])
    await db.run`SELECT pg_notify('broadcasts', ${payload})`
  await commit(db, 'one')
  await expect.poll(() => events).toEqual(['one'])
})

test('when LISTEN gets no answer, the feed listens on another connection', async () => {
  const { db, ...place } = await temporaryDatabase()
  // Not as behind a pooler: the feed must listen.
  const proxy = await cuttingProxy(place.address, { sslmode: 'disable' })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  onTestFinished(() => void vi.useRealTimers())
  proxy.cutAt(/LISTEN/, 'never told')
  let failed = 0
  const follower = { received() {}, missed() {}, failed: () => void failed++ }
  const feed = feeds.open({ db, address: proxy.address }, follower)
  onTestFinished(() => feed.close())
  await expect.poll(() => proxy.isCut).toBe(true)
  vi.advanceTimersByTime(patience)
  await feed.started
  expect(failed).toBe(1)
})

test('a feed connection that falls silent without closing is replaced, and missed events are reported', async () => {
  const { db, ...place } = await temporaryDatabase()
  const line = await lossyProxy(place.address)
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    shouldAdvanceTime: true,
  })
  onTestFinished(() => void vi.useRealTimers())
  const events: string[] = []
  const follower = {
    received: ({ event }: { event: string }) => void events.push(event),
    missed: () => void events.push('missed'),
    failed() {},
  }
  const feed = feeds.open({ db, address: line.address }, follower)
  onTestFinished(() => feed.close())
  await feed.started
  line.silence(0)
  await commit(db, 'unheard')
  vi.advanceTimersByTime(longestSilence * 1000)
  await expect.poll(() => events).toEqual(['missed'])
  await commit(db, 'heard')
  await expect.poll(() => events).toEqual(['missed', 'heard'])
})

test('losing the feed’s connection ends the event streams', async () => {
  const app = await testApp()
  let ended = 0
  await app.events.listen('users.1', { hear() {}, end: () => void ended++ })
  await endListeners(app.db)
  await expect.poll(() => [ended, app.events.listening('users.1')]).toEqual([1, 0])
})

test('behind a pooler the feed reads events from the table, even those committed after a higher number', async () => {
  const { db, address, events } = await following('?prepare=false')
  const other = await openDatabase(address)
  onTestFinished(() => other.close())
  await db.transaction(async (tx) => {
    await broadcasts.insert(tx, { channel: 'users.1', event: 'lower', at: noon })
    await commit(other, 'higher')
    await expect.poll(() => events).toEqual(['higher'])
  })
  await expect.poll(() => events).toEqual(['higher', 'lower'])
})
