import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '#db/driver'
import { emailOf } from '../../internal/testing/database/fill-database.ts'
import { Visitor } from './tools/client.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count, maximum, ms, steadyP99 } from './tools/figures.ts'
import { createFilledDatabase } from './tools/filled-database.ts'
import { type Server, start } from './tools/servers.ts'

const lockedFor = 10_000
const longestWait = 5000
// A waiting writer retries only now and then, and its answer takes a moment to arrive.
const tolerance = 1000
// Milliseconds after the start of the lock when the writers start that must succeed.
const lateStart = lockedFor - longestWait + 1500
// Milliseconds that SQLite itself waits for the lock, blocking the whole process: once for all writers.
const longestBlock = 100

/** Another process writes for ten seconds, compared with a server whose database nobody locks. */
export async function locked({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 1 : 6
  const server = await start(await createFilledDatabase(2))
  const calmServer = await start(await createFilledDatabase(2))
  const observations: Observation[] = []
  for (let round = 0; round < rounds; round++) observations.push(await lockOnce(server, calmServer))
  await Promise.all([server.stop(), calmServer.stop()])
  return [verdict(observations)]
}

function verdict(observations: readonly Observation[]): Verdict {
  const early = observations.flatMap((each) => each.early)
  const late = observations.flatMap((each) => each.late)
  const lockedDurations = observations.flatMap((each) => each.lockedDurations)
  const [busy, calm] = [
    steadyP99(lockedDurations),
    steadyP99(observations.flatMap((each) => each.calmDurations)),
  ]
  const waits = early.map(({ duration }) => duration)
  const areRefused = early.every(({ status, retryAfter }) => status === 503 && retryAfter)
  const areWritten = late.every(({ status }) => status === 303)
  const isUnaffected =
    busy <= calm * 1.1 + 1 && maximum(lockedDurations) <= longestBlock + tolerance
  return {
    fault: `the database locked by another process for 10 s, ${observations.length} times`,
    promise:
      'pages that only read are unaffected (p99 within 10 % and 1 ms of a server beside it), writers wait up to 5 s, then 503',
    figures:
      `${count(lockedDurations.length)} pages p99 ${ms(busy)}, beside it ${ms(calm)}, the slowest ${ms(maximum(lockedDurations))}; ` +
      `${early.length} writers answered ${listStatuses(early)} after ${ms(Math.min(...waits))} to ${ms(maximum(waits))}, ` +
      `${late.length} who came in its last seconds ${listStatuses(late)}`,
    isKept: isUnaffected && areRefused && areWritten && maximum(waits) <= longestWait + tolerance,
  }
}

interface WriteResult {
  readonly status: number
  readonly duration: number
  readonly retryAfter: boolean
}

interface Observation {
  readonly early: readonly WriteResult[]
  readonly late: readonly WriteResult[]
  readonly lockedDurations: readonly number[]
  readonly calmDurations: readonly number[]
}

async function lockOnce(server: Server, calmServer: Server): Promise<Observation> {
  const [reader, calmVisitor, writer] = [
    new Visitor(server),
    new Visitor(calmServer),
    new Visitor(server),
  ]
  await reader.logIn(emailOf(1))
  await calmVisitor.logIn(emailOf(1))
  await writer.logIn(emailOf(2))
  const release = await lock(server)
  const reading = timePages(reader, calmVisitor).finally(release)
  const [{ lockedDurations, calmDurations }, early, late] = await Promise.all([
    reading,
    Promise.all([rename(writer), ask(server), ask(server)]),
    pause(lateStart).then(() => Promise.all([rename(writer), ask(server)])),
  ])
  for (const visitor of [reader, calmVisitor, writer]) visitor.leave()
  return { early, late, lockedDurations, calmDurations }
}

/** Returns the milliseconds of pages while the database is locked, on that server and on one whose database is not. */
async function timePages(
  reader: Visitor,
  calmVisitor: Visitor,
): Promise<Pick<Observation, 'lockedDurations' | 'calmDurations'>> {
  const until = performance.now() + lockedFor
  const lockedDurations: number[] = []
  const calmDurations: number[] = []
  while (performance.now() < until) {
    for (const page of pages) {
      lockedDurations.push(await timePage(reader, page))
      calmDurations.push(await timePage(calmVisitor, page))
    }
    // A pause, so that both servers get their share of the machine.
    await pause(2)
  }
  return { lockedDurations, calmDurations }
}

const pages = ['/dashboard', '/settings/profile', '/settings/security', '/notifications', '/login']

async function timePage(visitor: Visitor, page: string): Promise<number> {
  const began = performance.now()
  const { status } = await visitor.get(page)
  if (status >= 400) throw new Error(`${page} was answered ${status}.`)
  return performance.now() - began
}

/** Locks the database by a write transaction, and returns a function that ends it. */
async function lock({ database }: Server): Promise<() => Promise<void>> {
  const db = await openDatabase({ file: database })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: lockBegun, resolve: reportLocked } = Promise.withResolvers<void>()
  const writing = db.transaction(async (tx) => {
    await tx.run`UPDATE users SET name = name WHERE id = 0`
    reportLocked()
    await released
  })
  await lockBegun
  return async () => {
    release()
    await writing
    await db.close()
  }
}

function rename(writer: Visitor): Promise<WriteResult> {
  return timeWrite(() => writer.rename('Renamed', emailOf(2)))
}

function ask(server: Server): Promise<WriteResult> {
  const guest = new Visitor(server)
  return timeWrite(() => guest.post('/forgot-password', { email: 'nobody@example.com' }))
}

async function timeWrite(write: () => ReturnType<Visitor['get']>): Promise<WriteResult> {
  const began = performance.now()
  const { status, headers } = await write()
  const duration = performance.now() - began
  return { status, duration, retryAfter: headers['retry-after'] !== undefined }
}

function listStatuses(answers: readonly WriteResult[]): string {
  return [...new Set(answers.map(({ status }) => status))].join(', ')
}
