import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { cheapestHash } from '../../internal/testing/cheapest-hash.ts'
import { emailOf, fill, password, project } from '../../internal/testing/fill.ts'
import { logins } from './hashing.ts'
import { perSecond, postJson } from './load.ts'
import { asking, filled, loggedIn } from './pages.ts'
import { withProcessorTime } from './processor-time.ts'
import type { Programs, Running } from './programs.ts'
import { compared, type Comparison, type Measured, type Row } from './table.ts'

// Short rounds, and many: the two sides of a ratio are then measured under the same load of the machine.
const rounds = 9
const users = 1000
const ofLogins = { connections: 16, requests: 800 }

const withoutHash = fileURLToPath(new URL('login-without-hash.ts', import.meta.url))
const folder = fileURLToPath(new URL('peers/', import.meta.url))

/** Of a program in `peers/`: where its forms are sent, and what it is told besides. */
interface Kind {
  readonly program: string
  readonly words?: readonly string[]
  readonly register: string
  readonly login: string
}

const passport = { program: 'express-passport.mjs', register: '/register', login: '/login' }

const betterAuth = {
  program: 'better-auth.mjs',
  register: '/api/auth/sign-up/email',
  login: '/api/auth/sign-in/email',
}

interface Peer {
  readonly login: string
  readonly app: Running
  readonly cookies: string[]
}

/** Throws with what to run where the packages of the peers are not installed: npm notes that down last. */
export function checkPeers(): void {
  if (!existsSync(`${folder}node_modules/.package-lock.json`))
    throw new Error(
      'The packages of the peers are not installed: run `npm ci --prefix cmd/bench/peers` first.',
    )
}

/** The service beside others that people log in to, each over a thousand users in a file of SQLite. */
export async function peers(programs: Programs): Promise<readonly Row[]> {
  const ours = await filled(programs, users)
  const bare = await serviceWithoutHash(programs)
  const [express, better, cached] = [
    await started(programs, passport),
    await started(programs, betterAuth),
    await started(programs, { ...betterAuth, words: ['cookie-cache'] }),
  ]
  const common = { unit: '/s' }
  const login = {
    ...common,
    what: 'login without its hash',
    of: () => withProcessorTime(bare, ofLogins.requests, () => logins(bare, ofLogins)),
  }
  const page = {
    ...common,
    what: 'a logged-in page, JSON',
    of: () =>
      asking(ours.app, {
        path: '/dashboard',
        cookies: ours.cookies,
        headers: { 'X-Page': 'true' },
      }),
  }
  const comparisons: readonly Comparison[] = [
    { ...login, beside: 'express + passport', aim: { least: 5 }, to: () => loginsOf(express) },
    { ...login, beside: 'better-auth', aim: { least: 10 }, to: () => loginsOf(better) },
    { ...page, beside: 'express + passport', aim: { least: 6 }, to: () => pagesOf(express) },
    { ...page, beside: 'better-auth', aim: { least: 8 }, to: () => pagesOf(better) },
    { ...page, beside: 'with its cookie cache', aim: { least: 4 }, to: () => pagesOf(cached) },
  ]
  // The first round is for the compiler.
  await compared(1, comparisons)
  return compared(rounds, comparisons)
}

async function serviceWithoutHash(programs: Programs): Promise<Running> {
  const database = programs.database()
  await fill({ file: database }, users, project, cheapestHash)
  return programs.fromSources(withoutHash, database)
}

/** A peer with its users, of whom some have logged in. */
async function started(programs: Programs, kind: Kind): Promise<Peer> {
  const app = await programs.peer(folder + kind.program, kind.words ?? [])
  await perSecond({
    port: app.port,
    connections: 4,
    requests: users,
    request: (n) =>
      postJson(kind.register, { name: `User ${1 + n}`, email: emailOf(1 + n), password }),
  })
  const cookies = await loggedIn(app, users, undefined, (user) => loginOf(kind, user))
  return { login: kind.login, app, cookies }
}

function loginOf({ login }: { readonly login: string }, user: number): string {
  return postJson(login, { email: emailOf(user), password })
}

function loginsOf(peer: Peer): Promise<Measured> {
  const { port } = peer.app
  const load = { port, ...ofLogins, request: (n: number) => loginOf(peer, 1 + (n % users)) }
  return withProcessorTime(peer.app, ofLogins.requests, () => perSecond(load))
}

function pagesOf({ app, cookies }: Peer): Promise<Measured> {
  return asking(app, { path: '/me', cookies })
}
