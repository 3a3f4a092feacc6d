import { appName } from '../../../web/contract/name.ts'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { addresses } from '#db/address'
import { databaseOf } from '#testing/address'
import { openDatabase } from '#db/driver'
import type { Database } from '../../../internal/db/db.ts'
import {
  emptyFolder,
  requiredSettings,
  run,
  serve,
} from '../../../internal/testing/processes/executable.ts'
import { ann, registration } from '../../../internal/testing/people.ts'
import { addFailedJob, allJobs } from '../../../internal/testing/database/rows.ts'

/** Starts a server without workers, and adds failed jobs. */
async function serveWithJobs(settings: Record<string, string> = { QUEUE_WORKERS: '0' }) {
  const allSettings = { ...(await requiredSettings()), ...settings }
  const app = await serve({ settings: allSettings })
  const db = await openDatabase(app.database)
  onTestFinished(() => db.close())
  const jobs = (...args: string[]) =>
    run(['jobs', ...args], { folder: app.folder, settings: allSettings })
  return { app, db, jobs }
}

const failedAt = new Date('2026-11-21T12:00:00Z')

function addFailed(
  db: Database,
  error: string,
  name = 'VerifyMail',
  payload: object = {},
): Promise<void> {
  return addFailedJob(db, { name, payload, error, tries: 10, at: failedAt })
}

test('a server with QUEUE_WORKERS=0 runs no jobs, and another server runs them', async () => {
  const { app, db, jobs } = await serveWithJobs()
  const form = { body: new URLSearchParams(registration(ann)), headers: { Origin: app.origin } }
  await fetch(`${app.origin}/register`, { method: 'POST', redirect: 'manual', ...form })
  // A worker would be done long before another process is.
  await jobs()
  expect(await allJobs(db)).toMatchObject([{ name: 'VerifyMail', tries: 0 }])
  await app.stop()
  await serve({ folder: app.folder })
  await expect.poll(() => allJobs(db)).toEqual([])
})

test('jobs, jobs --json and jobs retry all succeed when no job has failed', async () => {
  const { jobs } = await serveWithJobs()
  expect(await jobs()).toEqual({ code: 0, stdout: 'No job has failed for good.\n', stderr: '' })
  expect(await jobs('--json')).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
  expect(await jobs('retry', 'all')).toMatchObject({
    code: 0,
    stdout: 'No job has failed for good.\n',
  })
})

test('jobs lists failed jobs with ID, name, tries, time, recipient and error', async () => {
  const { db, jobs } = await serveWithJobs()
  await addFailed(db, '550 no such user', 'VerifyMail', { userId: 1, email: 'ann@x.test' })
  await addFailed(db, 'Connection refused', 'delete-file')
  expect(await jobs()).toEqual({
    code: 0,
    stdout: [
      'ID  NAME         TRIES  FAILED AT             TO          ERROR\n',
      '2   delete-file  10     2026-11-21T12:00:00Z              Connection refused\n',
      '1   VerifyMail   10     2026-11-21T12:00:00Z  ann@x.test  550 no such user\n',
    ].join(''),
    stderr: '',
  })
})

test('jobs lists thousands of failed jobs, each once and in order', async () => {
  const { db, jobs } = await serveWithJobs()
  const ids = Array.from({ length: 2500 }, (_, at) => 2500 - at)
  await db.transaction(async (tx) => {
    for (const id of ids)
      await addFailedJob(tx, { ...recentFailure(id), name: 'VerifyMail', error: 'no' })
  })
  const { stdout } = await jobs()
  const json = (await jobs('--json')).stdout
  const rows = JSON.parse(json) as { id: number; failedAt: string }[]
  const listedIds = stdout
    .split('\n')
    .slice(1, -1)
    .map((line) => Number(line.split(' ')[0]))
  expect(listedIds).toEqual(rows.map(({ id }) => id))
  const orderedRows = rows.toSorted((a, b) => b.failedAt.localeCompare(a.failedAt) || b.id - a.id)
  expect(rows).toEqual(orderedRows)
  expect(new Set(listedIds).size).toBe(2500)
  // One line per job, the closing bracket, and the end of the last line.
  expect(json.split('\n')).toHaveLength(2502)
})

/** Three jobs fail in the same second. */
function recentFailure(id: number) {
  return { tries: 10, at: new Date(failedAt.getTime() + Math.floor(id / 3) * 1000) }
}

test('jobs --json prints failed jobs with ID, name, tries, time, recipient and error', async () => {
  const { db, jobs } = await serveWithJobs()
  await addFailed(db, '550 no such user', 'VerifyMail', { userId: 1, email: 'ann@x.test' })
  const { stdout } = await jobs('--json')
  expect(JSON.parse(stdout)).toEqual([
    {
      id: 1,
      name: 'VerifyMail',
      tries: 10,
      failedAt: '2026-11-21T12:00:00.000Z',
      to: 'ann@x.test',
      error: '550 no such user',
    },
  ])
})

test('jobs --json shows the recipient of each kind of mail, and null for a job that is not a mail', async () => {
  const { db, jobs } = await serveWithJobs()
  await addFailed(db, 'no', 'delete-file', { key: 'photos/ann.png' })
  await addFailed(db, 'no', 'VerifyMail', { userId: 1, email: 'ann@x.test' })
  await addFailed(db, 'no', 'ResetMail', { email: 'bob@x.test' })
  await addFailed(db, 'no', 'registration-mail', { name: 'Eve', email: 'eve@x.test' })
  const notice = { kind: 'password-changed', data: '{}', at: failedAt.toISOString() }
  await addFailed(db, 'no', 'notification-mail', { ...notice, to: { address: 'old@x.test' } })
  const { stdout } = await jobs('--json')
  const rows = JSON.parse(stdout) as { to: string | null }[]
  expect(rows.map(({ to }) => to)).toEqual([
    'old@x.test',
    'eve@x.test',
    'bob@x.test',
    'ann@x.test',
    null,
  ])
})

test('jobs escapes control characters and line breaks in errors and addresses', async () => {
  const { db, jobs } = await serveWithJobs()
  await addFailed(db, 'no\n2  \u001b[2Jgone\u202e', 'ResetMail', { email: 'a\u001b[2J\n@x.test' })
  const { stdout } = await jobs()
  expect(stdout.split('\n')).toHaveLength(3)
  expect(stdout).toContain(String.raw`no\u000a2  \u001b[2Jgone\u202e`)
  expect(stdout).toContain(String.raw`a\u001b[2J\u000a@x.test`)
})

test('jobs retry makes the running server run a failed job again', async () => {
  const { app, db, jobs } = await serveWithJobs({})
  // Recent, since this server deletes what failed over a month ago.
  const lastTry = { tries: 10, at: new Date() }
  await addFailedJob(db, { ...lastTry, name: 'prune-logins', error: 'The disk is full.' })
  await addFailedJob(db, { ...lastTry, name: 'VerifyMail', error: '550 no such user' })
  const { code, stdout } = await jobs('retry', String(await idOf(db, 'prune-logins')))
  expect(code).toBe(0)
  expect(stdout).toMatch(/^Job \d+ \(prune-logins\) runs again\.\n$/)
  await expect.poll(() => names(db)).toEqual(['VerifyMail'])
  expect(app.lines.filter(({ level }) => level === 'error')).toEqual([])
})

test('jobs retry all puts every failed job back in the queue with its tries reset', async () => {
  const { db, jobs } = await serveWithJobs()
  for (let i = 0; i < 3; i++) await addFailed(db, 'no')
  expect(await jobs('retry', 'all')).toMatchObject({ code: 0, stdout: '3 jobs run again.\n' })
  expect((await allJobs(db)).map(({ tries, failedAt }) => [tries, failedAt])).toEqual([
    [0, null],
    [0, null],
    [0, null],
  ])
})

test('jobs retry of an unknown ID exits with code 1 and a message that says so', async () => {
  const { jobs } = await serveWithJobs()
  const { code, stdout, stderr } = await jobs('retry', '99')
  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toBe(`No job with ID 99 has failed. \`${appName} jobs\` lists those that have.\n`)
})

test('jobs reports a missing database with exit code 1, and creates none', async () => {
  const folder = join(emptyFolder(), 'elsewhere')
  mkdirSync(folder)
  const { code, stderr } = await run(['jobs'], { folder, settings: await requiredSettings() })
  expect(code).toBe(1)
  const database = await databaseOf(folder)
  expect(stderr).toContain(`There is no database ${addresses.nameOf(database)}`)
  expect(await addresses.isThere(database)).toBe(false)
  expect(readdirSync(folder)).toEqual([])
})

async function names(db: Database): Promise<string[]> {
  return (await allJobs(db)).map(({ name }) => name)
}

async function idOf(db: Database, name: string): Promise<number | undefined> {
  return (await allJobs(db)).find((job) => job.name === name && job.failedAt)?.id
}
