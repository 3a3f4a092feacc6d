import { expect, onTestFinished, test, vi } from 'vitest'
import { addresses } from '#db/address'
import { ann, registeredBrowser } from '../../testing/people.ts'
import { testApp } from '../../testing/test-app.ts'
import { SharedClock } from './shared-clock.ts'

const isServer = addresses.setting === 'DB_URL'

const minute = 60_000

/** Returns a clock set by a server whose own is this far ahead of this machine's. */
async function setBy(ahead: number): Promise<SharedClock> {
  const clock = new SharedClock()
  await clock.set(async () => new Date(Date.now() + ahead))
  return clock
}

/** Makes the machine's clock and `performance.now()` stand still until the test moves them. */
function stopped(): void {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
}

test('machines whose clocks differ use the time of the database server', async () => {
  stopped()
  const early = await setBy(10 * minute)
  const late = await setBy(-10 * minute)
  vi.advanceTimersByTime(minute)
  expect(early.now().getTime() - Date.now()).toBe(10 * minute)
  expect(late.now().getTime() - Date.now()).toBe(-10 * minute)
})

test('a machine whose clock is less than a second off keeps its own time', async () => {
  stopped()
  const clock = await setBy(900)
  expect(clock.now().getTime()).toBe(Date.now())
})

test.each([-60, 3 * 60])(
  'a machine whose clock is set by %d minutes still has the server’s time',
  async (minutes) => {
    stopped()
    const clock = await setBy(0)
    const before = Date.now()
    vi.setSystemTime(before + minutes * minute)
    vi.advanceTimersByTime(2000)
    expect([clock.now().getTime(), clock.isDoubtful]).toEqual([before + 2000, true])
    await clock.set(async () => new Date(before + 2000))
    expect([clock.now().getTime(), clock.isDoubtful]).toEqual([before + 2000, false])
  },
)

test('a clock that was being set as the machine fell asleep is set again', async () => {
  stopped()
  const clock = new SharedClock()
  const serverTime = new Date()
  await clock.set(async () => {
    vi.setSystemTime(Date.now() + 180 * minute)
    return serverTime
  })
  expect(clock.isDoubtful).toBe(true)
})

test.runIf(isServer)('setting the machine’s clock logs nobody out', async () => {
  const app = await testApp({ serverApp: (app) => ({ ...app, now: () => app.db.now() }) })
  const browser = await registeredBrowser(app, ann)
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  vi.setSystemTime(Date.now() + 180 * minute)
  expect((await browser.get('/settings/profile')).user?.name).toBe('Ann')
})
