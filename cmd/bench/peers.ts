import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cheapestHash } from '../../internal/testing/cheapest-hash.ts'
import { emailOf, fill, password, project } from '../../internal/testing/database/fill-database.ts'
import { logins } from './hashing.ts'
import { perSecond, postJson } from './load.ts'
import { asking, filled, loggedIn } from './pages.ts'
import { withProcessorTime } from './processor-time.ts'
import type { Programs, Running } from './programs.ts'
import { compared, type Comparison, type Measured, type Row } from './table.ts'

// Many short rounds, so that both sides of a ratio are measured under the same machine load.
const rounds = 9
const users = 1000
const ofLogins = { connections: 16, requests: 800 }

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
  await compared(3, comparisons)
  return compared(rounds, comparisons)
}

async function loginRows(programs: Programs): Promise<readonly Comparison[]> {
  const database = programs.database()
  await fill({ file: database }, users, project, cheapestHash)
  const app = await programs.fromSources(withoutHash, database)
  const row = {
    title: 'login without its hash',
    unit: '/s',
    of: () => withProcessorTime(app, ofLogins.requests, () => logins(app, ofLogins)),
  }
  const to = (peer: Peer) => loginsOf(programs, peer)
  return [
    { ...row, comparedWith: 'express + passport', aim: { least: 5 }, to: await to(passport) },
    { ...row, comparedWith: 'better-auth', aim: { least: 10 }, to: await to(betterAuth) },
  ]
}

async function pageRows(programs: Programs): Promise<readonly Comparison[]> {
  const { app, cookies } = await filled(programs, users)
  const request = { path: '/dashboard', cookies, headers: { 'X-Page': 'true' } }
  const row = { title: 'a logged-in page, JSON', unit: '/s', of: () => asking(app, request) }
  const to = (peer: Peer) => pagesOf(programs, peer)
  return [
    { ...row, comparedWith: 'express + passport', aim: { least: 6 }, to: await to(passport) },
    { ...row, comparedWith: 'writing no visit', to: await to({ ...passport, args: ['no-touch'] }) },
    { ...row, comparedWith: 'better-auth', aim: { least: 8 }, to: await to(betterAuth) },
    {
      ...row,
      comparedWith: 'with its cookie cache',
      aim: { least: 4 },
      to: await to({ ...betterAuth, args: ['cookie-cache'] }),
    },
  ]
}

type Measure = () => Promise<Measured>

/** Starts a peer, and returns the measurement of its logins. */
async function loginsOf(programs: Programs, peer: Peer): Promise<Measure> {
  const app = await started(programs, peer)
  const request = (n: number) => loginOf(peer, 1 + (n % users))
  const load = { ...ofLogins, port: app.port, request }
  return () => withProcessorTime(app, ofLogins.requests, () => perSecond(load))
}

/** Starts a peer, and returns the measurement of its pages for logged-in users. */
async function pagesOf(programs: Programs, peer: Peer): Promise<Measure> {
  const app = await started(programs, peer)
  const cookies = await loggedIn(app, users, undefined, (user) => loginOf(peer, user))
  return () => asking(app, { path: '/me', cookies })
}

/** Starts a peer with its users. */
async function started(programs: Programs, peer: Peer): Promise<Running> {
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
