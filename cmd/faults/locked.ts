import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '#db/driver'
import { emailOf } from '../../internal/testing/database/fill-database.ts'
import { Visitor } from './tools/client.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count, most, ms, steadyP99 } from './tools/figures.ts'
import { filled } from './tools/filled.ts'
import { type Server, start } from './tools/servers.ts'

const lockedFor = 10_000
const longestWait = 5000
// A waiting writer retries only now and then, and its answer takes a moment to arrive.
const slack = 1000
// Milliseconds after the start of the lock when the writers start that must succeed.
const lateAfter = lockedFor - longestWait + 1500
// Milliseconds that SQLite itself waits for the lock, blocking the whole process: once for all writers.
const heldUp = 100

/** Another process writes for ten seconds, compared with a server whose database nobody locks. */
export async function locked({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 1 : 6
  const server = await start(await filled(2))
  const calm = await start(await filled(2))
  const observations: Observation[] = []
  for (let round = 0; round < rounds; round++) observations.push(await lockedOnce(server, calm))
  await Promise.all([server.stop(), calm.stop()])
  return [verdict(observations)]
}

function verdict(observations: readonly Observation[]): Verdict {
  const early = observations.flatMap((each) => each.early)
  const late = observations.flatMap((each) => each.late)
  const during = observations.flatMap((each) => each.during)
  const [busy, calm] = [
    steadyP99(during),
    steadyP99(observations.flatMap((each) => each.calmTimes)),
  ]
  const waits = early.map(({ took }) => took)
  const areRefused = early.every(({ status, retryAfter }) => status === 503 && retryAfter)
  const areKept = late.every(({ status }) => status === 303)
  const isUnaffected = busy <= calm * 1.1 + 1 && most(during) <= heldUp + slack
  return {
    fault: `the database locked by another process for 10 s, ${observations.length} times`,
    promise:
      'pages that only read are unaffected (p99 within 10 % and 1 ms of a server beside it), writers wait up to 5 s, then 503',
    measured:
      `${count(during.length)} pages p99 ${ms(busy)}, beside it ${ms(calm)}, the slowest ${ms(most(during))}; ` +
      `${early.length} writers answered ${statuses(early)} after ${ms(Math.min(...waits))} to ${ms(most(waits))}, ` +
      `${late.length} who came in its last seconds ${statuses(late)}`,
    isKept: isUnaffected && areRefused && areKept && most(waits) <= longestWait + slack,
  }
}

interface Written {
  readonly status: number
  readonly took: number
  readonly retryAfter: boolean
}

interface Observation {
  readonly early: readonly Written[]
  readonly late: readonly Written[]
  readonly during: readonly number[]
  readonly calmTimes: readonly number[]
}

async function lockedOnce(server: Server, calm: Server): Promise<Observation> {
  const [reader, calmVisitor, writer] = [
    new Visitor(server),
    new Visitor(calm),
    new Visitor(server),
  ]
  await reader.logIn(emailOf(1))
  await calmVisitor.logIn(emailOf(1))
  await writer.logIn(emailOf(2))
  const release = await lock(server)
  const reading = readBeside(reader, calmVisitor).finally(release)
  const [{ during, calmTimes }, early, late] = await Promise.all([
    reading,
    Promise.all([rename(writer), ask(server), ask(server)]),
    pause(lateAfter).then(() => Promise.all([rename(writer), ask(server)])),
  ])
  for (const visitor of [reader, calmVisitor, writer]) visitor.leave()
  return { early, late, during, calmTimes }
}

/** Returns the milliseconds of pages while the database is locked, on that server and on one whose database is not. */
async function readBeside(
  reader: Visitor,
  calmVisitor: Visitor,
): Promise<Pick<Observation, 'during' | 'calmTimes'>> {
  const until = performance.now() + lockedFor
  const during: number[] = []
  const calmTimes: number[] = []
  while (performance.now() < until) {
    for (const page of pages) {
      during.push(await timed(reader, page))
      calmTimes.push(await timed(calmVisitor, page))
    }
    // A pause, so that both servers get their share of the machine.
    await pause(2)
  }
  return { during, calmTimes }
}

const pages = ['/dashboard', '/settings/profile', '/settings/security', '/notifications', '/login']

async function timed(visitor: Visitor, page: string): Promise<number> {
  const began = performance.now()
  const { status } = await visitor.get(page)
  if (status >= 400) throw new Error(`${page} was answered ${status}.`)
  return performance.now() - began
}

/** Locks the database by a write transaction, and returns a function that ends it. */
async function lock({ database }: Server): Promise<() => Promise<void>> {
  const db = await openDatabase({ file: database })
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const writing = db.transaction(async (tx) => {
    await tx.run`UPDATE users SET name = name WHERE id = 0`
    begin()
    await released
  })
  await begun
  return async () => {
    release()
    await writing
    await db.close()
  }
}

function rename(writer: Visitor): Promise<Written> {
  return written(() => writer.rename('Renamed', emailOf(2)))
}

function ask(server: Server): Promise<Written> {
  const guest = new Visitor(server)
  return written(() => guest.post('/forgot-password', { email: 'nobody@example.com' }))
}

async function written(write: () => ReturnType<Visitor['get']>): Promise<Written> {
  const began = performance.now()
  const { status, headers } = await write()
  const took = performance.now() - began
  return { status, took, retryAfter: headers['retry-after'] !== undefined }
}

function statuses(answers: readonly Written[]): string {
  return [...new Set(answers.map(({ status }) => status))].join(', ')
}
