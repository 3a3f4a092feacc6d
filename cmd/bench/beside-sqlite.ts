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
  type Behind,
  emailOf,
  fill,
  project,
} from '../../internal/testing/database/fill-database.ts'
import { logins, registrations } from './hashing.ts'
import { type RepeatedRequest, asking, loggedIn } from './pages.ts'
import { Programs, type Running } from './programs.ts'
import { servers } from './servers.ts'
import { roundTrips } from './round-trips.ts'
import { openStream } from './streams.ts'
import {
  compared,
  type Comparison,
  median,
  p99,
  printNotes,
  printTable,
  type Row,
  threeDigits,
} from './table.ts'

const rounds = 6
const users = 1000
const requests = 1600
const jobs = 2000
const events = 200

/** One build of the service with its database, which the bench also accesses directly (`Behind`). */
interface Subject {
  readonly app: Running
  readonly address: DatabaseAddress
  readonly behind: Behind
  readonly cookies: string[]
  readonly tokens: readonly string[]
}

interface Opened {
  close(): Promise<void>
}

/** Compares a build for a database server with one for SQLite on this machine. */
export async function besideSqlite(database: string): Promise<void> {
  const kind = servers[database]
  if (!kind)
    throw new Error(`--database takes ${Object.keys(servers).join(', ')}, not ${database}.`)
  const load = `${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} processors`
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  chmodSync(folder, 0o755)
  const opened: Opened[] = []
  const close = async () => {
    for (const opening of opened.splice(0).toReversed()) await opening.close()
    rmSync(folder, { recursive: true, force: true })
  }
  await closing(close, async () => {
    const alone = new Programs(built('sqlite'))
    opened.push(alone)
    const server = await kind.start(folder)
    opened.push({ close: () => server.stop() })
    const onServer = new Programs(built(database), { DB_URL: server.url })
    opened.push(onServer)
    const file = alone.database()
    const lite = await subjectOf(alone, { file, address: { file }, behind: project })
    const place = { file: onServer.database(), address: { url: server.url } }
    const subject = await subjectOf(onServer, { ...place, behind: kind.behind })
    printTable(await rates(subject, lite))
    printTable([await jobRates(subject, lite), await soonness(subject), await soonness(lite)])
    await subject.app.stop()
    printTable(await tripsOf(subject, { database, url: server.url, onServer, opened }))
    printNotes(load)
  })
}

/** Builds the executable for a database, and returns its path. */
function built(database: string): string {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  execFileSync(process.execPath, ['build.ts', '--quiet', '--database', database], { cwd: root })
  return join(root, 'dist', appName)
}

interface Place {
  /** The database file of an SQLite build. */
  readonly file: string
  readonly address: DatabaseAddress
  readonly behind: Behind
}

async function subjectOf(programs: Programs, { file, address, behind }: Place): Promise<Subject> {
  await fill(address, users, behind)
  const tokens = await addTokens(address, requests, behind)
  const app = await programs.app(file)
  return { app, address, behind, tokens, cookies: await loggedIn(app, users) }
}

async function rates(of: Subject, to: Subject): Promise<readonly Row[]> {
  const common = { comparedWith: 'SQLite', unit: '/s' }
  const json = { 'X-Page': 'true' }
  const paths: readonly (readonly [
    title: string,
    requestOf: (subject: Subject) => RepeatedRequest,
  ])[] = [
    ['a guest’s page, JSON', () => ({ path: '/login', headers: json })],
    [
      'a logged-in page, JSON',
      ({ cookies }) => ({ path: '/settings/appearance', cookies, headers: json }),
    ],
    ['GET /api/user', ({ tokens }) => ({ path: '/api/user', tokens })],
  ]
  const comparisons: readonly Comparison[] = [
    ...paths.map(([title, requestOf]) => ({
      ...common,
      title,
      of: () => asking(of.app, requestOf(of)),
      to: () => asking(to.app, requestOf(to)),
    })),
    { ...common, title: 'login', of: () => logins(of.app), to: () => logins(to.app) },
    {
      ...common,
      title: 'register',
      of: () => registrations(of.app),
      to: () => registrations(to.app),
    },
  ]
  // The first round warms up the compiler.
  await compared(1, comparisons)
  return compared(rounds, comparisons)
}

interface OnServer {
  readonly database: string
  readonly url: string
  readonly onServer: Programs
  readonly opened: Opened[]
}

/** Counts round trips while no other app server uses the database. */
async function tripsOf(subject: Subject, { database, url, onServer, opened }: OnServer) {
  const proxy = await openCountingProxy(url)
  opened.push({ close: async () => proxy.close() })
  const programsWith = (settings: Record<string, string>) => {
    const programs = new Programs(onServer.executable, { DB_URL: proxy.url, ...settings })
    opened.push(programs)
    return programs
  }
  const [serving, working] = [programsWith({ QUEUE_WORKERS: '0' }), programsWith({})]
  return roundTrips({
    database,
    proxy,
    tokens: await addTokens({ url }, requests, subject.behind),
    users,
    serving: () => serving.app(''),
    working: async () => {
      const app = await working.app('')
      await jobsOf(subject)
      await app.stop()
      return jobs
    },
  })
}

async function jobRates(of: Subject, to: Subject): Promise<Row> {
  const [row] = await compared(3, [
    {
      title: 'jobs, each a mail to the log',
      comparedWith: 'SQLite',
      unit: '/s',
      of: () => jobsOf(of),
      to: () => jobsOf(to),
    },
  ])
  if (!row) throw new Error('No jobs were run.')
  return row
}

/** Returns how many jobs run per second when all are committed at once. */
async function jobsOf({ address, behind }: Subject): Promise<number> {
  const db = await behind.openDatabase(address)
  await db.transaction(async (tx) => {
    for (let n = 0; n < jobs; n++)
      await tx.run`
        INSERT INTO jobs (name, payload, created_at)
        VALUES ('ResetMail', ${JSON.stringify({ email: emailOf(1 + (n % users)) })}, ${new Date()})`
  })
  const left = () => db.first`SELECT id FROM jobs WHERE name = 'ResetMail' LIMIT 1`
  // This process sends the server no signal, so the server finds the jobs at its next poll, twice a second.
  const started = performance.now()
  while (await left()) await pause(10)
  const milliseconds = performance.now() - started
  await db.close()
  return (jobs / milliseconds) * 1000
}

/** Returns the milliseconds from a commit in this process, not the server's, until an open page gets the event. */
async function soonness({ app, address, behind, cookies }: Subject): Promise<Row> {
  const socket: Socket = await openStream(app.port, cookies[0] ?? '')
  const db = await behind.openDatabase(address)
  const delays: number[] = []
  for (let n = 0; n < events; n++) {
    const eventCame = once(socket, 'data')
    const event = { channel: 'users.1', event: 'notification' as const, at: new Date() }
    await db.transaction((tx) => behind.broadcasts.insert(tx, event))
    const committed = performance.now()
    await eventCame
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
