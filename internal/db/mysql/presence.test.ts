import { expect, test } from 'vitest'
import { heldAmidJobs } from '../../testing/processes/held-worker.ts'

test('the jobs of a process that is held are taken up by another, and it goes on as somebody else once it wakes', async () => {
  const { emails, ran, again } = await heldAmidJobs()
  expect(ran).toEqual(new Set([...emails, 'late@x.test']))
  // As many as the process had begun and not yet recorded as done.
  expect(again).toBeLessThanOrEqual(2)
})
