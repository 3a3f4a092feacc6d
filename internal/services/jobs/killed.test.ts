import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../testing/database/database.ts'
import { disk } from '../../testing/processes/folders.ts'
import { addJobs, allJobs } from '../../testing/database/rows.ts'
import { testApp } from '../../testing/test-app.ts'
import { kill, linesOf, workerProcess } from '../../testing/processes/worker-process.ts'

test('after kill -9 no job is lost, and only jobs that were in flight run twice', async () => {
  const app = await testApp({ parent: disk })
  const file = join(temporaryFolder(), 'ran')
  const emails = Array.from({ length: 200 }, (_, i) => `${i}@x.test`)
  await addJobs(app.db, 'ResetMail', emails)
  const first = await workerProcess(app.config.database, file)
  await expect.poll(() => linesOf(file).length, { interval: 5 }).toBeGreaterThan(50)
  await kill(first)
  const cut = (await allJobs(app.db)).filter(({ claimedBy }) => claimedBy !== null)
  await workerProcess(app.config.database, file)
  await expect.poll(() => allJobs(app.db)).toEqual([])
  const ran = linesOf(file)
  expect(new Set(ran)).toEqual(new Set(emails))
  expect(ran.length - emails.length).toBeLessThanOrEqual(cut.length)
})

test('jobs of a killed process are taken over by others, and those of a live process are left to it', async () => {
  const app = await testApp({ parent: disk })
  const file = join(temporaryFolder(), 'ran')
  const { database } = app.config
  await Promise.all([workerProcess(database, file), workerProcess(database, file)])
  const doomed = await workerProcess(database, file)
  const emails = Array.from({ length: 300 }, (_, i) => `${i}@x.test`)
  await addJobs(app.db, 'ResetMail', emails)
  await expect.poll(() => linesOf(file).length, { interval: 5 }).toBeGreaterThan(100)
  await kill(doomed)
  await expect.poll(() => allJobs(app.db)).toEqual([])
  const ran = linesOf(file)
  expect(new Set(ran)).toEqual(new Set(emails))
  expect(ran.length - emails.length).toBeLessThanOrEqual(2)
})
