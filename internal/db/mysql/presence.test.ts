import { expect, test } from 'vitest'
import { heldAmidJobs } from '../../testing/processes/held-worker.ts'

test('another process runs the jobs of a suspended one, which works under another ID once it wakes', async () => {
  const { emails, ran, again } = await heldAmidJobs()
  expect(ran).toEqual(new Set(['early@x.test', ...emails, 'late@x.test']))
  // As many as the process had begun and not yet recorded as done.
  expect(again).toBeLessThanOrEqual(2)
})
