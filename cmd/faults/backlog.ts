import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '#db/driver'
import { emailOf } from '../../internal/testing/database/fill-database.ts'
import { p99 } from '../bench/table.ts'
import { mustBe, Visitor } from './tools/client.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count, maximum, ms } from './tools/figures.ts'
import { createFilledDatabase } from './tools/filled-database.ts'
import { type Server, start } from './tools/servers.ts'
import { until } from './tools/until.ts'

const waitingJobs = 100_000
const starts = 5
const longestStart = 2000
const leastPerSecond = 300
const longestNewJob = 2000
const pagesOfRound = 200
const pagesAtOnce = 8
const measuredSeconds = 10

/** A hundred thousand waiting jobs: while they are being run, and while none of them is due. */
export async function backlog({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 5 : 30
  return [await tryDue(rounds), await tryNotDue(rounds)]
}

async function tryDue(rounds: number): Promise<Verdict> {
  const { startupTime, calmP99, busyP99, database, server } = await compareWithEmpty(rounds, null)
  const rate = await jobsPerSecond(server, database)
  return {
    fault: `${count(waitingJobs)} jobs waiting that are due`,
    promise: 'start within 2 s, pages p99 at most doubled, 300 jobs a second',
    figures: `${startAndPages(startupTime, busyP99, calmP99)}; ${count(Math.round(rate))} jobs a second`,
    isKept: startupTime <= longestStart && busyP99 <= 2 * calmP99 && rate >= leastPerSecond,
  }
}

async function tryNotDue(rounds: number): Promise<Verdict> {
  const dueTime = new Date(Date.now() + 60 * 60 * 1000)
  const { startupTime, calmP99, busyP99, database, server } = await compareWithEmpty(
    rounds,
    dueTime,
  )
  server.signal('SIGCONT')
  mustBe(303, await new Visitor(server).post('/forgot-password', { email: 'new@example.com' }))
  const delay = await until(
    async () => (await countJobs(database)) <= waitingJobs,
    10 * longestNewJob,
  )
  return {
    fault: `${count(waitingJobs)} jobs waiting that are due in an hour`,
    promise: 'start within 2 s, pages p99 at most doubled, a new job is done within 2 s',
    figures: `${startAndPages(startupTime, busyP99, calmP99)}; a new job done after ${ms(delay)}`,
    isKept: startupTime <= longestStart && busyP99 <= 2 * calmP99 && delay <= longestNewJob,
  }
}

function startAndPages(startupTime: number, busyP99: number, calmP99: number): string {
  return `start in ${ms(startupTime)} at most of ${starts}; pages p99 ${ms(busyP99)}, ${ms(calmP99)} without (8 at once)`
}

/**
 * Starts a server with the jobs several times, and measures how soon it is ready. Then requests pages alternately from
 * it and from a server without jobs: the other one is paused by SIGSTOP meanwhile, and so is the returned server.
 */
async function compareWithEmpty(rounds: number, runAt: Date | null) {
  const emptyServer = await start(await createFilledDatabase(1))
  const { folder, database } = await createFilledDatabase(1)
  await addJobs(database, runAt)
  const startupTimes: number[] = []
  for (let n = 1; n < starts; n++) {
    const server = await start({ folder })
    startupTimes.push(server.startupTime)
    await server.stop()
  }
  const server = await start({ folder })
  startupTimes.push(server.startupTime)
  const servers = [await pauseServer(emptyServer), await pauseServer(server)] as const
  // The first round lets V8 optimize; its times are dropped.
  for (let round = 0; round <= rounds; round++)
    for (const { server, visitor, times } of servers) {
      const durations = await timePages(server, visitor)
      if (round > 0) times.push(...durations)
    }
  const [calmP99, busyP99] = servers.map(({ times }) => p99(times)) as [number, number]
  await emptyServer.kill()
  return { startupTime: maximum(startupTimes), calmP99, busyP99, database, server }
}

async function pauseServer(server: Server) {
  const visitor = new Visitor(server)
  await visitor.logIn(emailOf(1))
  server.signal('SIGSTOP')
  return { server, visitor, times: [] as number[] }
}

/** Requests some pages at once, and returns each one's milliseconds. */
async function timePages(server: Server, visitor: Visitor): Promise<number[]> {
  server.signal('SIGCONT')
  const durations: number[] = []
  const requestPages = async () => {
    while (durations.length < pagesOfRound) {
      const began = performance.now()
      mustBe(200, await visitor.get('/dashboard'))
      durations.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: pagesAtOnce }, requestPages))
  server.signal('SIGSTOP')
  return durations
}

/** Returns the jobs run per second while no page is requested. They mail nobody, so that no mail server matters. */
async function jobsPerSecond(server: Server, database: string): Promise<number> {
  const before = await countJobs(database)
  server.signal('SIGCONT')
  const began = performance.now()
  await pause(measuredSeconds * 1000)
  return ((before - (await countJobs(database))) / (performance.now() - began)) * 1000
}

/** Adds jobs for emails without an account. */
async function addJobs(database: string, runAt: Date | null): Promise<void> {
  const db = await openDatabase({ file: database })
  await db.run`
    INSERT INTO jobs (name, payload, tries, run_at, created_at)
    WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${waitingJobs})
    SELECT 'ResetMail', json_object('email', 'nobody' || n || '@example.com'), 0, ${runAt}, ${new Date()}
    FROM numbers`
  await db.close()
}

async function countJobs(database: string): Promise<number> {
  const db = await openDatabase({ file: database })
  const row = await db.first<{ jobs: number }>`
    SELECT count(*) AS jobs FROM jobs WHERE name = 'ResetMail'`
  await db.close()
  return row?.jobs ?? 0
}
