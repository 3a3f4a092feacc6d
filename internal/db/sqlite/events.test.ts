import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { hideBroadcasts, showBroadcasts } from '../../testing/database/broadcast-rows.ts'
import { publishMany } from '../../testing/sqlite/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import type { EventName } from '../../../web/contract/event-names.ts'

const channel = 'users.1'

test('a failure to read events is logged once, and events are read again once it is over', async () => {
  const { app, pass } = await withTimers()
  const events = await listening(app)
  const faults = () =>
    app.logLines.filter(({ message }) => message === 'the events could not be read')
  await hideBroadcasts(app.db)
  for (let look = 0; look < 8; look++) await pass(250)
  expect(faults().length).toBe(1)
  await showBroadcasts(app.db)
  await publishMany(app.db, { channel, times: 1, at: app.now() })
  await pass(250)
  expect(events).toEqual(['notification'])
  await hideBroadcasts(app.db)
  await pass(250)
  expect(faults().length).toBe(2)
})

test('event streams end when events may have been lost', async () => {
  const { app, pass } = await withTimers()
  let ended = 0
  await app.events.listen(channel, { hear() {}, end: () => void ended++ })
  await hideBroadcasts(app.db)
  await pass(60_000)
  await showBroadcasts(app.db)
  await pass(250)
  expect([ended, app.events.listening(channel)]).toEqual([1, 0])
})

/** Opens an app that polls when the test says so. */
async function withTimers() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await testApp()
  return { app, pass }
}

async function pass(milliseconds: number): Promise<void> {
  vi.advanceTimersByTime(milliseconds)
  // A poll reads within a few turns of the event loop.
  for (let turns = 0; turns < 10; turns++) await nextTurn()
}

async function listening(app: TestApp): Promise<EventName[]> {
  const events: EventName[] = []
  await app.events.listen(channel, { hear: (event) => void events.push(event), end() {} })
  return events
}
