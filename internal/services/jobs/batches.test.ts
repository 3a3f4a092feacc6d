import { expect, onTestFinished, test, vi } from 'vitest'
import { inBatches } from './batches.ts'

test('a prune repeats its steps for a minute at most, and gives each step at least one turn', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const did: string[] = []
  const step = (name: string, seconds: number, deleted?: number) => async (most: number) => {
    did.push(name)
    vi.advanceTimersByTime(seconds * 1000)
    return deleted ?? most
  }
  const steps = [step('logins', 20), step('browsers', 25), step('the log', 1, 1)]
  const isDone = await inBatches(steps, new AbortController().signal)
  expect(isDone).toBe(false)
  expect(did).toEqual(['logins', 'logins', 'logins', 'browsers', 'the log'])
})

test('a prune’s step ends when it deletes fewer rows than it may, and the next step begins', async () => {
  const left = [700, 3]
  const steps = left.keys().map((at) => async (most: number) => {
    const deleted = Math.min(left[at] ?? 0, most)
    left[at] = (left[at] ?? 0) - deleted
    return deleted
  })
  expect(await inBatches([...steps], new AbortController().signal)).toBe(true)
  expect(left).toEqual([0, 0])
})
