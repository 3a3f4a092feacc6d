import { join } from 'node:path'
import { expect } from 'vitest'
import { temporaryFolder } from '../database/database.ts'
import { addJobs, allJobs } from '../database/rows.ts'
import { testApp } from '../test-app.ts'
import { kill, linesOf, workerProcess } from './worker-process.ts'

/**
 * Pauses a process in the middle of its jobs until another process has run the rest, then wakes it for one more job.
 * Returns which jobs ran, and how many ran twice.
 */
export async function heldAmidJobs() {
  const { config, db } = await testApp()
  const file = join(temporaryFolder(), 'ran')
  const held = await workerProcess(config.database, file)
  const emails = Array.from({ length: 300 }, (_, n) => `${n}@x.test`)
  await addJobs(db, 'ResetMail', emails)
  await expect.poll(() => linesOf(file).length, { interval: 5 }).toBeGreaterThan(100)
  held.kill('SIGSTOP')
  const other = await workerProcess(config.database, file)
  await expect.poll(() => allJobs(db), { timeout: 40_000 }).toEqual([])
  await kill(other)
  held.kill('SIGCONT')
  await addJobs(db, 'ResetMail', ['late@x.test'])
  await expect.poll(() => allJobs(db)).toEqual([])
  const ran = linesOf(file)
  return { emails, ran: new Set(ran), again: ran.length - new Set(ran).size }
}
