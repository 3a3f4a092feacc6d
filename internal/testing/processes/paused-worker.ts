import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Database } from '../../db/db.ts'
import { temporaryFolder } from '../database/database.ts'
import { addJobs, allJobs } from '../database/rows.ts'
import { testApp } from '../test-app.ts'
import { kill, linesOf, workerProcess } from './worker-process.ts'

/**
 * Pauses a process in the middle of its jobs until another process has run the rest, then wakes it for one more job,
 * which it has to claim under another ID. Returns which jobs ran, and how many ran twice.
 */
export async function pauseWorkerAmidJobs() {
  const { config, db } = await testApp()
  const file = join(temporaryFolder(), 'ran')
  const pausedWorker = await workerProcess(config.database, file)
  // Does not end before the pause, so that the other process has a job to take over.
  const early = await addWaiting(db, file, 'early@x.test')
  const id = await claimantOf(db, early)
  const emails = Array.from({ length: 300 }, (_, n) => `${n}@x.test`)
  await addJobs(db, 'ResetMail', emails)
  await expect.poll(() => linesOf(file).length, { interval: 5 }).toBeGreaterThan(100)
  pausedWorker.kill('SIGSTOP')
  rmSync(early.waitFile)
  const otherWorker = await workerProcess(config.database, file)
  await expect.poll(() => allJobs(db), { timeout: 40_000 }).toEqual([])
  await kill(otherWorker)
  pausedWorker.kill('SIGCONT')
  const late = await addWaiting(db, file, 'late@x.test')
  await claimantOf(db, late, id)
  rmSync(late.waitFile)
  await expect.poll(() => allJobs(db)).toEqual([])
  const ran = linesOf(file)
  return { emails, ran: new Set(ran), repeated: ran.length - new Set(ran).size }
}

/** Adds a job that does not end before its file is deleted. */
async function addWaiting(db: Database, file: string, email: string) {
  const waitFile = `${file}.${email}`
  writeFileSync(waitFile, '')
  await addJobs(db, 'ResetMail', [email])
  return { email, waitFile }
}

/** Waits until a process has claimed a job under an ID other than `not`, and returns that ID. */
async function claimantOf(db: Database, { email }: { email: string }, not?: string) {
  let claimant: string | null | undefined
  const claimed = async () => {
    const job = (await allJobs(db)).find(({ payload }) => payload.includes(email))
    return (claimant = job?.claimedBy)
  }
  await expect.poll(claimed).not.toBeOneOf([undefined, null, not])
  return String(claimant)
}
