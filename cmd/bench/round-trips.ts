import { setTimeout as pause } from 'node:timers/promises'
import { mostTrips, type CountingProxy } from '../../internal/testing/network/counting-proxy.ts'
import { emailOf, password } from '../../internal/testing/database/fill-database.ts'
import { get, perSecond, post } from './load.ts'
import { loggedIn } from './pages.ts'
import type { RunningProgram } from './programs.ts'
import { median, type Row } from './table.ts'

// The first round prepares the statements. The median of the others counts, so that a poll for events or jobs in
// between does not matter.
const rounds = 8
// Milliseconds to wait for background work that a request has started.
const settleTime = 60

interface RoundTripOptions {
  /** `postgres` or `mysql`. */
  readonly database: string
  readonly proxy: CountingProxy
  /** One per round, so that each call uses a token for the first time. */
  readonly tokens: readonly string[]
  /** The number of users in the database. */
  readonly users: number
  /** Starts the service without job workers, connected through the proxy. */
  readonly startIdle: () => Promise<RunningProgram>
  /** Makes a service run many jobs through the proxy, and returns how many. */
  readonly runJobs: () => Promise<number>
}

/** Compares how often the most frequent requests wait for the database server with how often they may. */
export async function roundTrips(options: RoundTripOptions): Promise<readonly Row[]> {
  const { database, proxy, tokens, users } = options
  const app = await options.startIdle()
  const [cookie = ''] = await loggedIn(app, users, 1)
  const requestPaths: Readonly<Record<string, (round: number) => string>> = {
    page: () => get('/settings/appearance', { Cookie: cookie }),
    dashboard: () => get('/dashboard', { Cookie: cookie }),
    api: (round) => get('/api/user', { Authorization: `Bearer ${tokens[round]}` }),
    login: (round) => post('/login', addressOf(round), { email: emailOf(1 + round), password }),
    register: (round) => post('/register', addressOf(round), newUser(round)),
  }
  const rows: Row[] = []
  for (const [name, ask] of Object.entries(requestPaths)) {
    const counts: number[] = []
    for (let round = 0; round < rounds; round++) {
      await pause(settleTime)
      const before = proxy.trips()
      await perSecond({ port: app.port, connections: 1, requests: 1, request: () => ask(round) })
      await pause(settleTime)
      if (round > 0) counts.push(proxy.trips() - before)
    }
    rows.push(row(name, Math.floor(median(counts)), mostTripsOf(database, name)))
  }
  await app.stop()
  const before = proxy.trips()
  const jobs = await options.runJobs()
  const tripsPerJob = Math.floor((proxy.trips() - before) / jobs)
  // One more: each of these jobs also reads the account that it mails to.
  return [...rows, row('job, a mail to an account', tripsPerJob, mostTripsOf(database, 'job') + 1)]
}

/** Gives each round an address of its own, with throttles of its own. */
function addressOf(round: number): string {
  return `198.51.100.${1 + round}`
}

function newUser(round: number): Readonly<Record<string, string>> {
  const email = `newcomer${round}@example.com`
  return { name: 'Ann', email, password, password_confirmation: password }
}

function mostTripsOf(database: string, name: string): number {
  const limits: Readonly<Record<string, number>> = { ...mostTrips[database] }
  return limits[name] ?? 0
}

function row(name: string, trips: number, most: number): Row {
  return {
    title: `round trips: ${name}`,
    aim: `≤ ${most} ${trips <= most ? ' ' : '✗'}`,
    figures: String(trips),
  }
}
