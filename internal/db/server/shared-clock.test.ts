import { expect, onTestFinished, test, vi } from 'vitest'
import { SharedClock } from './shared-clock.ts'

const minute = 60_000

/** A clock that was set by a server whose own is so much ahead of this machine's. */
async function setBy(ahead: number): Promise<SharedClock> {
  const clock = new SharedClock()
  await clock.set(async () => new Date(Date.now() + ahead))
  return clock
}

test('on machines whose clocks are apart it is the time that the server has', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const early = await setBy(10 * minute)
  const late = await setBy(-10 * minute)
  vi.setSystemTime(Date.now() + minute)
  expect(early.now().getTime() - Date.now()).toBeCloseTo(10 * minute, -3)
  expect(late.now().getTime() - Date.now()).toBeCloseTo(-10 * minute, -3)
})

test('a machine whose clock is less than a second away keeps to its own', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const clock = await setBy(900)
  expect(clock.now().getTime()).toBe(Date.now())
})
