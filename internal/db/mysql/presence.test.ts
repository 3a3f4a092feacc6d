import { expect, test } from 'vitest'
import { heldAmidJobs } from '../../testing/processes/held-worker.ts'

test('jobs of a suspended process are run by another, and the suspended one works again once it wakes', async () => {
  const { emails, ran, again } = await heldAmidJobs()
  expect(ran).toEqual(new Set([...emails, 'late@x.test']))
  // As many as the process had begun and not yet recorded as done.
  expect(again).toBeLessThanOrEqual(2)
})
