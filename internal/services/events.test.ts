import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { publishMany } from '#testing/rows'
import { hideBroadcasts } from '../testing/database/broadcast-rows.ts'
import { testApp, type TestApp } from '../testing/test-app.ts'
import { publish } from './events.ts'
import type { EventName } from '../../web/contract/event-names.ts'

const channel = 'users.1'

test('events committed by another process on the same database are delivered', async () => {
  const app = await testApp()
  const events = await listening(app)
  const program = fileURLToPath(new URL('../testing/processes/publish-program.ts', import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify(app.config.database), '3'])
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child, 'exit')
  await expect.poll(() => events).toEqual(['notification', 'notification', 'notification'])
})

test('an event committed by this process is delivered at once, without a poll', async () => {
  const { app } = await withTimers()
  const events = await listening(app)
  await publishTo(app, 'verified')
  await expect.poll(() => events).toEqual(['verified'])
})

test('the database is not polled while nobody listens', async () => {
  const { app, pass } = await withTimers()
  const listener = { hear() {}, end() {} }
  await app.events.listen(channel, listener)
  app.events.leave(channel, listener)
  await hideBroadcasts(app.db)
  await pass(1000)
  expect(app.logLines.filter(({ level }) => level === 'error')).toEqual([])
})

test('a listener that leaves before its start position is known is no longer counted', async () => {
  const app = await testApp()
  const listener = { hear() {}, end() {} }
  const listening = app.events.listen(channel, listener)
  const during = app.events.listening(channel)
  app.events.leave(channel, listener)
  expect([during, app.events.listening(channel)]).toEqual([1, 0])
  await listening
})

test('an event from before a listener joined is not delivered to it', async () => {
  const app = await testApp()
  await publishTo(app, 'verified')
  const events = await listening(app)
  await publishTo(app, 'notification')
  await expect.poll(() => events).toEqual(['notification'])
})

test('events committed while listeners come and go are delivered once each, in order', async () => {
  const app = await testApp()
  const rounds: string[][] = []
  for (let round = 0; round < 20; round++) {
    const events: string[] = []
    const listener = { hear: (e: EventName) => void events.push(e), end() {} }
    await app.events.listen(channel, listener)
    await publishTo(app, 'verified')
    await publishTo(app, 'notification')
    await expect.poll(() => events.length).toBeGreaterThanOrEqual(2)
    app.events.leave(channel, listener)
    rounds.push(events)
  }
  expect(rounds).toEqual(Array.from({ length: 20 }, () => ['verified', 'notification']))
})

test('a listener that joins gets past and new events once each, in order', async () => {
  const app = await testApp()
  const early: string[] = []
  await listening(app)
  const since = { from: app.now(), until: app.now() }
  await publishTo(app, 'verified')
  await publishTo(app, 'notification')
  const joining = app.events.listen(channel, { hear: (e) => void early.push(e), end() {} }, since)
  await publishTo(app, 'verified')
  await joining
  await publishTo(app, 'notification')
  await expect.poll(() => early.length).toBeGreaterThanOrEqual(4)
  // No feed has delivered this one yet: it is read as a past event, and once more by the next poll.
  await publishMany(app.db, { channel, times: 1, at: app.now() })
  const late: string[] = []
  await app.events.listen(channel, { hear: (e) => void late.push(e), end() {} }, since)
  await publishTo(app, 'verified')
  await expect.poll(() => late.length).toBeGreaterThanOrEqual(6)
  expect(early).toEqual([...four, 'notification', 'verified'])
  expect(late).toEqual(early)
})

const four = ['verified', 'notification', 'verified', 'notification']

test('closing ends all listeners, and any that joins later', async () => {
  const app = await testApp()
  let ended = 0
  const listener = { hear() {}, end: () => void ended++ }
  await app.events.listen(channel, listener)
  app.events.close()
  expect([ended, app.events.listening(channel)]).toEqual([1, 0])
  await app.events.listen(channel, listener)
  expect([ended, app.events.listening(channel)]).toEqual([2, 0])
})

/** Returns an app whose polls are triggered by the test. */
async function withTimers() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await testApp()
  return { app, pass }
}

async function pass(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds)
  // A poll's reads complete within a few turns.
  for (let turns = 0; turns < 10; turns++) await nextTurn()
}

async function listening(app: TestApp): Promise<EventName[]> {
  const events: EventName[] = []
  await app.events.listen(channel, { hear: (event) => void events.push(event), end() {} })
  return events
}

async function publishTo(app: TestApp, event: EventName): Promise<void> {
  await app.db.transaction((tx) => publish(app, tx, 1, event))
}
