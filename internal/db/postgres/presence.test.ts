import { once } from 'node:events'
import { expect, test } from 'vitest'
import { temporaryDatabase } from '../../testing/database/database.ts'
import { pauseWorkerAmidJobs } from '../../testing/processes/paused-worker.ts'
import { endPresences } from '../../testing/postgres/presences.ts'
import { presences } from './presence.ts'

const silent = () => {}

test('a process is present until it ends, and an unknown process is gone', async () => {
  const { address } = await temporaryDatabase()
  const presence = await presences.open(address, silent)
  const other = await presences.open(address, silent)
  const there = await presences.isGone(address, presence.id)
  await presence.end()
  await expect.poll(() => presences.isGone(address, presence.id)).toBe(true)
  expect([there, await presences.isGone(address, other.id)]).toEqual([false, false])
  expect(await presences.isGone(address, 'of another database')).toBe(true)
  await other.end()
})

test('a process whose presence connection is lost is notified, and counts as gone for others', async () => {
  const { address } = await temporaryDatabase()
  const presence = await presences.open(address, silent)
  const lost = once(presence.lost, 'abort')
  await endPresences(address)
  await lost
  await expect.poll(() => presences.isGone(address, presence.id)).toBe(true)
  await presence.end()
})

test('another process runs the jobs of a suspended one, which works under another ID once it wakes', async () => {
  const { emails, ran, repeated } = await pauseWorkerAmidJobs()
  expect(ran).toEqual(new Set(['early@x.test', ...emails, 'late@x.test']))
  // As many as the process had begun and not yet recorded as done.
  expect(repeated).toBeLessThanOrEqual(2)
})
