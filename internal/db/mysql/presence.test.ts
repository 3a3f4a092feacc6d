import { expect, test } from 'vitest'
import { pauseWorkerAmidJobs } from '../../testing/processes/paused-worker.ts'

test('another process runs the jobs of a suspended one, which works under another ID once it wakes', async () => {
  const { emails, ran, repeated } = await pauseWorkerAmidJobs()
  expect(ran).toEqual(new Set(['early@x.test', ...emails, 'late@x.test']))
  // As many as the process had begun and not yet recorded as done.
  expect(repeated).toBeLessThanOrEqual(2)
})
