import { once } from 'node:events'
import { expect, onTestFinished, test, vi } from 'vitest'
import { cache } from '#db/cache'
import { jobs } from '#db/jobs'
import { hiddenPresence, endPresences } from '#testing/presences'
import { openApp } from '../../open-app.ts'
import { hideJobs, showJobs } from '../../testing/database/hidden-tables.ts'
import { addJobs, allJobs, lockJobs, renameJobs } from '../../testing/database/rows.ts'
import { testApp, type TestApp } from '../../testing/test-app.ts'
import type { Work } from './job-names.ts'
import { push } from './push.ts'
import type { Scheduled } from './schedule.ts'
import { startWorkers } from './workers.ts'

/** Returns work that records what it ran; a test may add more. */
function keeping(run: (email: string) => Promise<void> = async () => {}) {
  const ran: string[] = []
  const work = {
    VerifyMail: { resource: 'mail', run: async (_, { email }) => void ran.push(`verify ${email}`) },
    ResetMail: {
      resource: 'mail',
      run: async (_, { email }) => {
        ran.push(email)
        await run(email)
      },
    },
    'prune-cache': { resource: 'files', run: async () => void ran.push('files') },
  } satisfies Partial<Work>
  return { ran, work }
}

function start(app: TestApp, work: Partial<Work>, atOnce = 4, poll = 10) {
  const workers = startWorkers(app, { work, atOnce, poll })
  onTestFinished(async () => void (await workers.stop(0)))
  return workers
}

function reset(app: TestApp, ...emails: string[]): Promise<void> {
  return app.db.transaction(async (tx) => {
    for (const email of emails) await push(app, tx, 'ResetMail', { email })
  })
}

/** Adds a job claimed by another process. */
async function claimed(app: TestApp, email: string, by: string): Promise<void> {
  await reset(app, email)
  await jobs.claim(app.db, { name: 'ResetMail', by, now: app.now(), beyond: app.now() })
}

/** Returns a run that lasts until the test releases it. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { promise, release: resolve }
}

const refused = async () => {
  throw new Error('The mail was refused.', { cause: new Error('550 no such user') })
}

test('a job runs after the commit of its change, and its row is deleted', async () => {
  const app = await testApp()
  const { ran, work } = keeping()
  start(app, work)
  await reset(app, 'ann@x.test')
  await expect.poll(() => allJobs(app.db)).toEqual([])
  expect(ran).toEqual(['ann@x.test'])
})

test('an error with a NUL character is stored with its job, and the next job runs', async () => {
  const app = await testApp()
  const { ran, work } = keeping(async (email) => {
    if (email === 'bad@x.test') throw new Error('550 no \0such user')
  })
  start(app, work, 1)
  await reset(app, 'bad@x.test', 'ann@x.test')
  await expect.poll(() => ran).toEqual(['bad@x.test', 'ann@x.test'])
  await expect.poll(() => allJobs(app.db)).toMatchObject([{ error: '550 no \ufffdsuch user' }])
})

test('jobs pushed by another process are found within a second', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const app = await testApp()
  const { ran, work } = keeping()
  const workers = startWorkers(app, { work, atOnce: 4 })
  onTestFinished(async () => void (await workers.stop(0)))
  await reset(app, 'ann@x.test')
  await expect.poll(() => allJobs(app.db)).toEqual([])
  await addJobs(app.db, 'ResetMail', ['bob@x.test'])
  vi.advanceTimersByTime(1000)
  // Polling would advance the fake clock.
  vi.useRealTimers()
  await expect.poll(() => ran).toEqual(['ann@x.test', 'bob@x.test'])
})

test('workers are woken by a commit, without waiting for their next poll', async () => {
  const app = await testApp()
  const { ran, work } = keeping()
  start(app, work, 4, 3_600_000)
  await reset(app, 'ann@x.test')
  await expect.poll(() => ran).toEqual(['ann@x.test'])
  await reset(app, 'bob@x.test')
  await expect.poll(() => ran).toEqual(['ann@x.test', 'bob@x.test'])
})

test('a job of a transaction that is rolled back never runs', async () => {
  const app = await testApp()
  const { ran, work } = keeping()
  start(app, work)
  const change = app.db.transaction(async (tx) => {
    await push(app, tx, 'ResetMail', { email: 'ann@x.test' })
    throw new Error('no')
  })
  await expect(change).rejects.toThrow('no')
  await reset(app, 'bob@x.test')
  await expect.poll(() => allJobs(app.db)).toEqual([])
  expect(ran).toEqual(['bob@x.test'])
})

test('jobs of one kind begin in the order in which they were pushed', async () => {
  const app = await testApp()
  const { ran, work } = keeping()
  await reset(app, 'a', 'b', 'c', 'd', 'e')
  start(app, work)
  await expect.poll(() => allJobs(app.db)).toEqual([])
  expect(ran).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('a failed run is logged and its error stored, and the job runs again when it is due', async () => {
  const app = await testApp()
  let fails = true
  const { ran, work } = keeping(async () => {
    if (fails) await refused()
  })
  start(app, work)
  await reset(app, 'ann@x.test')
  await expect.poll(() => app.logLines.map(({ message }) => message)).toEqual(['job failed'])
  const [waiting] = await allJobs(app.db)
  fails = false
  await app.pass({ seconds: 10 })
  await expect.poll(() => allJobs(app.db)).toEqual([])
  expect(waiting).toMatchObject({ tries: 1, failedAt: null })
  expect(waiting?.error).toBe('The mail was refused. – 550 no such user')
  expect(ran).toHaveLength(2)
})

test('a job runs 10 times over about four hours, then fails for good and keeps its error', async () => {
  const app = await testApp()
  const { ran, work } = keeping(refused)
  const begun = app.now().getTime()
  start(app, work)
  await reset(app, 'ann@x.test')
  for (let run = 1; run < 10; run++) {
    await expect.poll(() => app.logLines).toHaveLength(run)
    const again = app.logLines.at(-1)?.facts.again as Date
    await app.pass({ seconds: (again.getTime() - app.now().getTime()) / 1000 })
  }
  await expect.poll(() => app.logLines.at(-1)?.message).toBe('job failed for good')
  const hours = (app.now().getTime() - begun) / 3_600_000
  await app.pass({ days: 20 })
  await reset(app, 'bob@x.test')
  await expect.poll(() => ran.at(-1)).toBe('bob@x.test')
  expect(hours).toBeCloseTo(4, 0)
  expect(ran).toHaveLength(11)
  expect((await allJobs(app.db))[0]).toMatchObject({
    tries: 10,
    error: 'The mail was refused. – 550 no such user',
    failedAt: new Date(begun + hours * 3_600_000),
  })
})

test('the retry delays of a job grow from run to run', async () => {
  const app = await testApp()
  start(app, keeping(refused).work)
  await reset(app, 'ann@x.test')
  const waits: number[] = []
  for (let run = 1; run < 10; run++) {
    await expect.poll(() => app.logLines).toHaveLength(run)
    const again = app.logLines.at(-1)?.facts.again as Date
    waits.push((again.getTime() - app.now().getTime()) / 1000)
    await app.pass({ seconds: waits.at(-1) ?? 0 })
  }
  expect(waits).toEqual([10, 30, 60, 180, 480, 1200, 2400, 4200, 6000])
})

test('a kind of job that hangs does not hold up the others', async () => {
  const app = await testApp()
  const hanging = held()
  const { ran, work } = keeping(() => hanging.promise)
  start(app, work)
  await reset(app, 'a', 'b', 'c', 'd', 'e')
  await app.db.transaction(async (tx) => {
    await push(app, tx, 'VerifyMail', { userId: 1, email: 'ann' })
    await push(app, tx, 'prune-cache', {})
  })
  await expect.poll(() => ran.toSorted()).toEqual(['a', 'b', 'files', 'verify ann'])
  hanging.release()
  await expect.poll(() => allJobs(app.db)).toEqual([])
})

test('mails that all hang do not hold up a job that sends none', async () => {
  const app = await testApp()
  const hanging = held()
  const { ran, work } = keeping(() => hanging.promise)
  const verifying = async (_: unknown, { email }: { email: string }) => {
    ran.push(email)
    await hanging.promise
  }
  start(app, { ...work, VerifyMail: { resource: 'mail', run: verifying } })
  await reset(app, 'a', 'b', 'c')
  await app.db.transaction(async (tx) => {
    for (const email of ['d', 'e', 'f']) await push(app, tx, 'VerifyMail', { userId: 1, email })
  })
  await expect.poll(() => ran).toHaveLength(3)
  await app.db.transaction((tx) => push(app, tx, 'prune-cache', {}))
  await expect.poll(() => ran).toContain('files')
  hanging.release()
  await expect.poll(() => allJobs(app.db)).toEqual([])
})

test('a single worker takes turns between the kinds of jobs', async () => {
  const app = await testApp()
  const { ran, work } = keeping()
  await reset(app, 'a', 'b')
  await app.db.transaction((tx) => push(app, tx, 'VerifyMail', { userId: 1, email: 'ann' }))
  start(app, work, 1)
  await expect.poll(() => allJobs(app.db)).toEqual([])
  expect(ran).toEqual(['verify ann', 'a', 'b'])
})

test('a job whose name this version does not know waits, and is logged once', async () => {
  const app = await testApp()
  const { ran, work } = keeping()
  await reset(app, 'ann@x.test', 'bob@x.test')
  await renameJobs(app.db, 'ResetMail', 'from-a-later-version')
  start(app, work)
  await expect.poll(() => app.logLines.length).toBe(1)
  expect(app.logLines[0]).toMatchObject({
    level: 'warn',
    message: 'jobs wait that this version does not know',
    facts: { name: 'from-a-later-version' },
  })
  // The workers have looked again when they find this one.
  await addJobs(app.db, 'from-one-later-still', ['eve@x.test'])
  const named = () => app.logLines.map(({ facts }) => facts['name'])
  await expect.poll(named).toContain('from-one-later-still')
  expect(named()).toEqual(['from-a-later-version', 'from-one-later-still'])
  expect(await allJobs(app.db)).toMatchObject([{ tries: 0 }, { tries: 0 }, { tries: 0 }])
  expect(ran).toEqual([])
})

test('jobs of a process that cannot be inspected are left to it, and that is logged once', async () => {
  const app = await testApp()
  const { ran, work } = keeping()
  const hidden = await hiddenPresence(app.config.database)
  await claimed(app, 'a', hidden.id)
  start(app, work)
  await expect.poll(() => app.logLines).toHaveLength(1)
  // A process without a presence has ended: its job runs after the next check of processes.
  await claimed(app, 'b', 'ended')
  await expect.poll(() => ran).toEqual(['b'])
  expect(app.logLines.map(({ level, message }) => [level, message])).toEqual([
    ['warn', 'another process that cannot be looked at is stepped over'],
    ['warn', 'taking up the jobs of a process that ended'],
  ])
  expect(String(app.logLines[0]?.facts['error'])).toContain(hidden.named)
  await expect.poll(() => allJobs(app.db)).toMatchObject([{ claimedBy: hidden.id, tries: 1 }])
})

test('where two processes find that another has ended, only the one that takes up its jobs logs it', async () => {
  const app = await testApp()
  const { ran, work } = keeping()
  await claimed(app, 'ann@x.test', 'ended')
  const processes = [start(app, work), start(app, work)]
  await expect.poll(() => ran).toEqual(['ann@x.test'])
  // Not at once: who stops before the end of a job says so.
  await Promise.all(processes.map((workers) => workers.stop(10_000)))
  expect(app.logLines.map(({ message, facts }) => [message, facts['jobs']])).toEqual([
    ['taking up the jobs of a process that ended', 1],
  ])
})

test('a job whose process ended during its last run fails for good, and that is logged', async () => {
  const app = await testApp()
  for (let run = 0; run < 10; run++) {
    if (run === 0) await reset(app, 'a')
    else await jobs.releaseUnused(app.db, { id: 1, by: 'ended', tries: run })
    await jobs.claim(app.db, { name: 'ResetMail', by: 'ended', now: app.now(), beyond: app.now() })
  }
  await claimed(app, 'b', 'ended')
  const { ran, work } = keeping()
  start(app, work)
  await expect.poll(() => ran).toEqual(['b'])
  expect(app.logLines.map(({ level, message, facts }) => [level, message, facts])).toEqual([
    [
      'error',
      'job failed for good',
      { job: 1, name: 'ResetMail', tries: 10, error: 'The process ended while the job ran.' },
    ],
    ['warn', 'taking up the jobs of a process that ended', { jobs: 2 }],
  ])
})

test('a process that others take for gone aborts its jobs, stores no result, and they run again', async () => {
  const app = await testApp()
  const cut: unknown[] = []
  let runs = 0
  const work: Partial<Work> = {
    ResetMail: {
      resource: 'mail',
      async run(_, __, signal) {
        if (++runs > 1) return
        const lost = once(signal, 'abort')
        await endPresences(app.config.database)
        await lost
        cut.push(signal.aborted)
      },
    },
  }
  start(app, work)
  await reset(app, 'a')
  await expect.poll(() => allJobs(app.db)).toEqual([])
  expect([cut, runs]).toEqual([[true], 2])
  expect(app.logLines.map(({ message }) => message)).toEqual([
    'others take this process for gone, so it gives up its jobs',
    'taking up the jobs of a process that ended',
  ])
})

test('a clock set back a day does not hold up a job that waits for its retry', async () => {
  const app = await testApp()
  let fails = true
  const { ran, work } = keeping(async () => {
    if (fails) await refused()
  })
  start(app, work)
  await reset(app, 'ann@x.test')
  await expect.poll(() => app.logLines).toHaveLength(1)
  fails = false
  await app.pass({ days: -1 })
  await expect.poll(() => allJobs(app.db)).toEqual([])
  expect(ran).toEqual(['ann@x.test', 'ann@x.test'])
})

test('a clock set back an hour does not hold up a job that has not run yet', async () => {
  const app = await testApp()
  const { ran, work } = keeping()
  await reset(app, 'ann@x.test')
  await app.pass({ hours: -1 })
  start(app, work)
  await expect.poll(() => ran).toEqual(['ann@x.test'])
})

test('stopping the workers lets running jobs finish and starts no others', async () => {
  const app = await testApp()
  const run = held()
  const { ran, work } = keeping(() => run.promise)
  const workers = start(app, work, 1)
  await reset(app, 'a', 'b')
  await expect.poll(() => ran).toEqual(['a'])
  const stopped = workers.stop(5000)
  run.release()
  expect(await stopped).toBe(true)
  expect(await allJobs(app.db)).toMatchObject([{ tries: 0, payload: '{"email":"b"}' }])
})

test('a job that does not finish before the stop is released, due at once with no run counted', async () => {
  const app = await testApp()
  const { ran, work } = keeping(() => held().promise)
  const workers = start(app, work)
  await reset(app, 'a')
  await expect.poll(() => ran).toEqual(['a'])
  expect(await workers.stop(20)).toBe(false)
  expect(await allJobs(app.db)).toMatchObject([{ tries: 0, claimedBy: null, runAt: null }])
})

test('a stop that only a poll holds up reports no unfinished jobs', async () => {
  const app = await testApp()
  const [isLocked, released, isPolling] = [held(), held(), held()]
  const locking = app.db.transaction(async (tx) => {
    await cache.replace(tx, {
      key: 'schedule:prune-cache',
      value: 'b',
      unless: { from: 'a', to: 'a' },
    })
    isLocked.release()
    await released.promise
  })
  await isLocked.promise
  const scheduled: Scheduled = {
    // Read right before the push.
    get name() {
      isPolling.release()
      return 'prune-cache' as const
    },
    every: 'night',
  }
  const workers = startWorkers(app, { work: {}, schedule: [scheduled], atOnce: 1 })
  await isPolling.promise
  expect(await workers.stop(20)).toBe(false)
  released.release()
  await locking
  expect(app.logLines).toEqual([])
})

test('a job released at the stop is aborted before another process may run it', async () => {
  const app = await testApp()
  const ran = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const aborted = Promise.withResolvers<void>()
  const work: Partial<Work> = {
    ResetMail: {
      resource: 'mail',
      async run(_, __, signal) {
        signal.addEventListener('abort', () => aborted.resolve())
        ran.resolve()
        await aborted.promise
      },
    },
  }
  const workers = start(app, work)
  await reset(app, 'a')
  await ran.promise
  // Giving up the claim waits until the job was told.
  const holding = app.db.transaction(async (tx) => {
    await lockJobs(tx)
    isHeld.resolve()
    await aborted.promise
    return allJobs(tx)
  })
  await isHeld.promise
  await workers.stop(20)
  expect(await holding).toMatchObject([{ claimedBy: expect.any(String) as string }])
  expect(await allJobs(app.db)).toMatchObject([{ tries: 0, claimedBy: null, error: null }])
})

test('a job whose end cannot be stored does not run again, and the failing poll is logged once', async () => {
  const app = await testApp()
  const run = held()
  const { ran, work } = keeping(() => run.promise)
  start(app, work)
  await reset(app, 'a')
  await expect.poll(() => ran).toEqual(['a'])
  await hideJobs(app.db)
  run.release()
  const messages = () => app.logLines.map(({ message }) => message)
  await expect.poll(() => new Set(messages()).size).toBe(2)
  await showJobs(app.db)
  await expect.poll(() => allJobs(app.db)).toEqual([])
  expect(ran).toEqual(['a'])
  expect(messages().filter((message) => message === 'looking for jobs failed')).toHaveLength(1)
  // Retried each second until it succeeds: logged more than once if the test takes longer.
  expect([...new Set(messages())].toSorted()).toEqual([
    'a job that ran could not be noted down',
    'looking for jobs failed',
  ])
})

test('two instances on one database run each job once', async () => {
  const app = await testApp()
  const other = await openApp(app.config, { ...app, now: () => app.now() })
  onTestFinished(() => other.close())
  const { ran, work } = keeping()
  start(app, work)
  start({ ...app, ...other }, work)
  const emails = Array.from({ length: 200 }, (_, i) => String(i))
  await reset(app, ...emails)
  await expect.poll(() => allJobs(app.db)).toEqual([])
  expect(ran.toSorted()).toEqual(emails.toSorted())
})
