import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cheapestHash } from '../../internal/testing/cheapest-hash.ts'
import {
  emailOf,
  fill,
  password,
  ownAccess,
} from '../../internal/testing/database/fill-database.ts'
import { logins } from './hashing.ts'
import { perSecond, postJson } from './load.ts'
import { requestRate, startFilled, loggedIn } from './pages.ts'
import { withProcessorTime } from './processor-time.ts'
import type { Programs, RunningProgram } from './programs.ts'
import { compare, type Comparison, type Measured, type Row } from './table.ts'

// Many short rounds, so that both sides of a ratio are measured under the same machine load.
const rounds = 9
const users = 1000
const loginLoad = { connections: 16, requests: 800 }

const withoutHash = fileURLToPath(new URL('login-without-hash.ts', import.meta.url))
const folder = fileURLToPath(new URL('peers/', import.meta.url))

/** A program in `peers/`: its forms' paths, and further command line arguments. */
interface Peer {
  readonly program: string
  readonly args?: readonly string[]
  readonly register: string
  readonly login: string
}

const passport = { program: 'express-passport.mjs', register: '/register', login: '/login' }

const betterAuth = {
  program: 'better-auth.mjs',
  register: '/api/auth/sign-up/email',
  login: '/api/auth/sign-in/email',
}

/** Throws with the command to run if the peers' packages are not installed: npm writes that file last. */
export function checkPeers(): void {
  if (!existsSync(`${folder}node_modules/.package-lock.json`))
    throw new Error(
      'The packages of the peers are not installed: run `npm ci --prefix cmd/bench/peers` first.',
    )
}

/** Compares the service with other projects, each over a thousand users in an SQLite file. */
export async function peers(programs: Programs): Promise<readonly Row[]> {
  const comparisons = [...(await loginRows(programs)), ...(await pageRows(programs))]
  // The first rounds let V8 optimize both sides: after only one, the service reached half of its final rate.
  await compare(3, comparisons)
  return compare(rounds, comparisons)
}

async function loginRows(programs: Programs): Promise<readonly Comparison[]> {
  const database = programs.database()
  await fill({ file: database }, users, ownAccess, cheapestHash)
  const app = await programs.fromSources(withoutHash, database)
  const row = {
    title: 'login without its hash',
    unit: '/s',
    measure: () => withProcessorTime(app, loginLoad.requests, () => logins(app, loginLoad)),
  }
  const measurePeer = (peer: Peer) => loginsOf(programs, peer)
  return [
    {
      ...row,
      referenceName: 'express + passport',
      aim: { least: 5 },
      measureReference: await measurePeer(passport),
    },
    {
      ...row,
      referenceName: 'better-auth',
      aim: { least: 10 },
      measureReference: await measurePeer(betterAuth),
    },
  ]
}

async function pageRows(programs: Programs): Promise<readonly Comparison[]> {
  const { app, cookies } = await startFilled(programs, users)
  const request = { path: '/dashboard', cookies, headers: { 'X-Page': 'true' } }
  const row = {
    title: 'a logged-in page, JSON',
    unit: '/s',
    measure: () => requestRate(app, request),
  }
  const measurePeer = (peer: Peer) => pagesOf(programs, peer)
  return [
    {
      ...row,
      referenceName: 'express + passport',
      aim: { least: 6 },
      measureReference: await measurePeer(passport),
    },
    {
      ...row,
      referenceName: 'writing no visit',
      measureReference: await measurePeer({ ...passport, args: ['no-touch'] }),
    },
    {
      ...row,
      referenceName: 'better-auth',
      aim: { least: 8 },
      measureReference: await measurePeer(betterAuth),
    },
    {
      ...row,
      referenceName: 'with its cookie cache',
      aim: { least: 4 },
      measureReference: await measurePeer({ ...betterAuth, args: ['cookie-cache'] }),
    },
  ]
}

type Measure = () => Promise<Measured>

/** Starts a peer, and returns the measurement of its logins. */
async function loginsOf(programs: Programs, peer: Peer): Promise<Measure> {
  const app = await startPeer(programs, peer)
  const request = (n: number) => loginOf(peer, 1 + (n % users))
  const load = { ...loginLoad, port: app.port, request }
  return () => withProcessorTime(app, loginLoad.requests, () => perSecond(load))
}

/** Starts a peer, and returns the measurement of its pages for logged-in users. */
async function pagesOf(programs: Programs, peer: Peer): Promise<Measure> {
  const app = await startPeer(programs, peer)
  const cookies = await loggedIn(app, users, undefined, (user) => loginOf(peer, user))
  return () => requestRate(app, { path: '/me', cookies })
}

/** Starts a peer with its users. */
async function startPeer(programs: Programs, peer: Peer): Promise<RunningProgram> {
  const app = await programs.peer(folder + peer.program, peer.args ?? [])
  await perSecond({
    port: app.port,
    connections: 4,
    requests: users,
    request: (n) => registrationOf(peer, 1 + n),
  })
  return app
}

function registrationOf({ register }: Peer, user: number): string {
  return postJson(register, { name: `User ${user}`, email: emailOf(user), password })
}

function loginOf({ login }: Peer, user: number): string {
  return postJson(login, { email: emailOf(user), password })
}
