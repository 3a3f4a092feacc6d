import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { appName } from '../../web/contract/name.ts'
import type { DatabaseAddress } from '../../internal/base/settings/config.ts'
import { addTokens } from './add-tokens.ts'
import { closing } from './closing.ts'
import { openCountingProxy } from '../../internal/testing/network/counting-proxy.ts'
import {
  type DatabaseAccess,
  emailOf,
  fill,
  ownAccess,
} from '../../internal/testing/database/fill-database.ts'
import { loggedIn } from './pages.ts'
import { Programs } from './programs.ts'
import { rateComparisons, type RunningBuild } from './rate-comparisons.ts'
import { servers } from './servers.ts'
import { roundTrips } from './round-trips.ts'
import { openStream } from './streams.ts'
import { compare, median, p99, printNotes, printTable, type Row, threeDigits } from './table.ts'

const rounds = 6
const users = 1000
const requests = 1600
const jobs = 2000
const events = 200

/** One build of the service with its database, which the bench also accesses directly (`DatabaseAccess`). */
interface Subject extends RunningBuild {
  readonly address: DatabaseAddress
  readonly behind: DatabaseAccess
}

interface Closable {
  close(): Promise<void>
}

/** Compares a build for a database server with one for SQLite on this machine. */
export async function compareWithSqlite(database: string): Promise<void> {
  const databaseServer = servers[database]
  if (!databaseServer)
    throw new Error(`--database takes ${Object.keys(servers).join(', ')}, not ${database}.`)
  const load = `${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors`
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  chmodSync(folder, 0o755)
  const closables: Closable[] = []
  const close = async () => {
    for (const closable of closables.splice(0).toReversed()) await closable.close()
    rmSync(folder, { recursive: true, force: true })
  }
  await closing(close, async () => {
    const server = await databaseServer.start(folder)
    closables.push({ close: () => server.stop() })
    const onServer = new Programs(buildFor(database), { DB_URL: server.url })
    closables.push(onServer)
    // The last, which stays in `dist`: the other parts of the bench take it from there.
    const sqlitePrograms = new Programs(buildFor('sqlite'))
    closables.push(sqlitePrograms)
    const file = sqlitePrograms.database()
    const sqliteSubject = await subjectOf(sqlitePrograms, {
      file,
      address: { file },
      behind: ownAccess,
    })
    const place = { file: onServer.database(), address: { url: server.url } }
    const subject = await subjectOf(onServer, { ...place, behind: databaseServer.behind })
    printTable(await rateRows(subject, sqliteSubject))
    printTable([
      await jobRateRow(subject, sqliteSubject),
      await eventDelayRow(subject),
      await eventDelayRow(sqliteSubject),
    ])
    await subject.app.stop()
    printTable(await countTrips(subject, { database, url: server.url, onServer, closables }))
    printNotes(load)
  })
}

/** Builds the executable for a database, and returns its path. */
function buildFor(database: string): string {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  execFileSync(process.execPath, ['build.ts', '--quiet', '--database', database], { cwd: root })
  return join(root, 'dist', appName)
}

interface Place {
  /** The database file of an SQLite build. */
  readonly file: string
  readonly address: DatabaseAddress
  readonly behind: DatabaseAccess
}

async function subjectOf(programs: Programs, { file, address, behind }: Place): Promise<Subject> {
  await fill(address, users, behind)
  const tokens = await addTokens(address, requests, behind)
  const app = await programs.app(file)
  return { app, address, behind, tokens, cookies: await loggedIn(app, users) }
}

const comparedRequests = [
  'a guest’s page, JSON',
  'a logged-in page, JSON',
  'GET /api/user',
] as const

async function rateRows(subject: Subject, reference: Subject): Promise<readonly Row[]> {
  const comparisons = rateComparisons('SQLite', { build: subject, reference }, comparedRequests)
  // The first round warms up the compiler.
  await compare(1, comparisons)
  return compare(rounds, comparisons)
}

interface DatabaseBuild {
  readonly database: string
  readonly url: string
  readonly onServer: Programs
  readonly closables: Closable[]
}

/** Counts round trips while no other app server uses the database. */
async function countTrips(subject: Subject, { database, url, onServer, closables }: DatabaseBuild) {
  const proxy = await openCountingProxy(url)
  closables.push({ close: async () => proxy.close() })
  const programsWith = (settings: Record<string, string>) => {
    const programs = new Programs(onServer.executable, { DB_URL: proxy.url, ...settings })
    closables.push(programs)
    return programs
  }
  const [idlePrograms, workingPrograms] = [programsWith({ QUEUE_WORKERS: '0' }), programsWith({})]
  return roundTrips({
    database,
    proxy,
    tokens: await addTokens({ url }, requests, subject.behind),
    users,
    startIdle: () => idlePrograms.app(''),
    runJobs: async () => {
      const app = await workingPrograms.app('')
      await jobsPerSecond(subject)
      await app.stop()
      return jobs
    },
  })
}

async function jobRateRow(subject: Subject, reference: Subject): Promise<Row> {
  const [row] = await compare(3, [
    {
      title: 'jobs, each a mail to the log',
      referenceName: 'SQLite',
      unit: '/s',
      measure: () => jobsPerSecond(subject),
      measureReference: () => jobsPerSecond(reference),
    },
  ])
  if (!row) throw new Error('No jobs were run.')
  return row
}

/** Returns how many jobs run per second when all are committed at once. */
async function jobsPerSecond({ address, behind }: Subject): Promise<number> {
  const db = await behind.openDatabase(address)
  await db.transaction(async (tx) => {
    for (let n = 0; n < jobs; n++)
      await tx.run`
        INSERT INTO jobs (name, payload, created_at)
        VALUES ('ResetMail', ${JSON.stringify({ email: emailOf(1 + (n % users)) })}, ${new Date()})`
  })
  const nextJob = () => db.first`SELECT id FROM jobs WHERE name = 'ResetMail' LIMIT 1`
  // This process sends the server no signal, so the server finds the jobs at its next poll, twice a second.
  const started = performance.now()
  while (await nextJob()) await pause(10)
  const milliseconds = performance.now() - started
  await db.close()
  return (jobs / milliseconds) * 1000
}

/** Returns the milliseconds from a commit in this process, not the server's, until an open page gets the event. */
async function eventDelayRow({ app, address, behind, cookies }: Subject): Promise<Row> {
  const socket: Socket = await openStream(app.port, cookies[0] ?? '')
  const db = await behind.openDatabase(address)
  const delays: number[] = []
  for (let n = 0; n < events; n++) {
    const arrival = once(socket, 'data')
    const event = { channel: 'users.1', event: 'notification' as const, at: new Date() }
    await db.transaction((tx) => behind.broadcasts.insert(tx, event))
    const committed = performance.now()
    await arrival
    delays.push(performance.now() - committed)
    await pause(Math.random() * 50)
  }
  await db.close()
  socket.destroy()
  return {
    title: `an event of another process, ${'url' in address ? 'server' : 'SQLite'}`,
    aim: '',
    figures: `median ${threeDigits(median(delays))} ms, p99 ${threeDigits(p99(delays))} ms after its commit`,
  }
}
