import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '#db/driver'
import { emailOf } from '../../internal/testing/database/fill-database.ts'
import { p99 } from '../bench/table.ts'
import { mustBe, Visitor } from './tools/client.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count, most, ms } from './tools/figures.ts'
import { filled } from './tools/filled.ts'
import { type Server, start } from './tools/servers.ts'
import { until } from './tools/until.ts'

const waiting = 100_000
const starts = 5
const longestStart = 2000
const leastPerSecond = 300
const longestNew = 2000
const pagesOfRound = 200
const pagesAtOnce = 8
const measuredSeconds = 10

/** A hundred thousand waiting jobs: while they are being run, and while none of them is due. */
export async function backlog({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 5 : 30
  return [await due(rounds), await notDue(rounds)]
}

async function due(rounds: number): Promise<Verdict> {
  const { readyAfter, calm, busy, database, server } = await measureBeside(rounds, null)
  const rate = await perSecond(server, database)
  return {
    fault: `${count(waiting)} jobs waiting that are due`,
    promise: 'start within 2 s, pages p99 at most doubled, 300 jobs a second',
    measured: `${startAndPages(readyAfter, busy, calm)}; ${count(Math.round(rate))} jobs a second`,
    isKept: readyAfter <= longestStart && busy <= 2 * calm && rate >= leastPerSecond,
  }
}

async function notDue(rounds: number): Promise<Verdict> {
  const inAnHour = new Date(Date.now() + 60 * 60 * 1000)
  const { readyAfter, calm, busy, database, server } = await measureBeside(rounds, inAnHour)
  server.signal('SIGCONT')
  mustBe(303, await new Visitor(server).post('/forgot-password', { email: 'new@example.com' }))
  const delay = await until(async () => (await left(database)) <= waiting, 10 * longestNew)
  return {
    fault: `${count(waiting)} jobs waiting that are due in an hour`,
    promise: 'start within 2 s, pages p99 at most doubled, a new job is done within 2 s',
    measured: `${startAndPages(readyAfter, busy, calm)}; a new job done after ${ms(delay)}`,
    isKept: readyAfter <= longestStart && busy <= 2 * calm && delay <= longestNew,
  }
}

function startAndPages(readyAfter: number, busy: number, calm: number): string {
  return `start in ${ms(readyAfter)} at most of ${starts}; pages p99 ${ms(busy)}, ${ms(calm)} without (8 at once)`
}

/**
 * Starts a server with the jobs several times, and measures how soon it is ready. Then requests pages alternately from
 * it and from a server without jobs: the other one is paused by SIGSTOP meanwhile, and so is the returned server.
 */
async function measureBeside(rounds: number, runAt: Date | null) {
  const without = await start(await filled(1))
  const { folder, database } = await filled(1)
  await addJobs(database, runAt)
  const ready: number[] = []
  for (let n = 1; n < starts; n++) {
    const server = await start({ folder })
    ready.push(server.readyAfter)
    await server.stop()
  }
  const server = await start({ folder })
  ready.push(server.readyAfter)
  const servers = [await heldServer(without), await heldServer(server)] as const
  // The first round lets V8 optimize; its times are dropped.
  for (let round = 0; round <= rounds; round++)
    for (const { server, visitor, times } of servers) {
      const took = await pages(server, visitor)
      if (round > 0) times.push(...took)
    }
  const [calm, busy] = servers.map(({ times }) => p99(times)) as [number, number]
  await without.kill()
  return { readyAfter: most(ready), calm, busy, database, server }
}

async function heldServer(server: Server) {
  const visitor = new Visitor(server)
  await visitor.logIn(emailOf(1))
  server.signal('SIGSTOP')
  return { server, visitor, times: [] as number[] }
}

/** Requests some pages at once, and returns each one's milliseconds. */
async function pages(server: Server, visitor: Visitor): Promise<number[]> {
  server.signal('SIGCONT')
  const took: number[] = []
  const askOn = async () => {
    while (took.length < pagesOfRound) {
      const began = performance.now()
      mustBe(200, await visitor.get('/dashboard'))
      took.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: pagesAtOnce }, askOn))
  server.signal('SIGSTOP')
  return took
}

/** Returns the jobs run per second while no page is requested. They mail nobody, so that no mail server matters. */
async function perSecond(server: Server, database: string): Promise<number> {
  const before = await left(database)
  server.signal('SIGCONT')
  const began = performance.now()
  await pause(measuredSeconds * 1000)
  return ((before - (await left(database))) / (performance.now() - began)) * 1000
}

/** Adds jobs for emails without an account. */
async function addJobs(database: string, runAt: Date | null): Promise<void> {
  const db = await openDatabase({ file: database })
  await db.run`
    INSERT INTO jobs (name, payload, tries, run_at, created_at)
    WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < ${waiting})
    SELECT 'ResetMail', json_object('email', 'nobody' || n || '@example.com'), 0, ${runAt}, ${new Date()}
    FROM numbers`
  await db.close()
}

async function left(database: string): Promise<number> {
  const db = await openDatabase({ file: database })
  const row = await db.first<{ jobs: number }>`
    SELECT count(*) AS jobs FROM jobs WHERE name = 'ResetMail'`
  await db.close()
  return row?.jobs ?? 0
}
