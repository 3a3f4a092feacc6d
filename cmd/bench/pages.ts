import { addTokens } from './add-tokens.ts'
import { emailOf, fill, password } from '../../internal/testing/database/fill-database.ts'
import { get, perSecond, post } from './load.ts'
import type { Programs, RunningProgram } from './programs.ts'
import { withProcessorTime } from './processor-time.ts'
import { compare, type Comparison, type Measured, type Row } from './table.ts'

// Many short rounds, so that both sides of a ratio are measured under the same machine load.
const rounds = 15
const requests = 1600
const connections = 16
/** As many concurrent callers as let many of their writes be committed together. */
const manyConnections = 64
/** How many users request pages, each with a session of their own. */
const sessions = 200

const json = { 'X-Page': 'true' }
const brotli = { 'Accept-Encoding': 'br' }

/** Compares pages with Node's bare server, and a page over many users with the same over few. */
export async function pages(programs: Programs): Promise<readonly Row[]> {
  const bare = await programs.bareServer()
  const few = await startFilled(programs, 1_000)
  const many = await startFilled(programs, 1_000_000)
  // As many tokens as requests: each token is used once per row and round, and may be used 60 times a minute.
  const tokens = await addTokens({ file: few.database }, requests)
  const user = { path: '/api/user', tokens }
  const up = { path: '/up' }
  const login = { path: '/login' }
  const dashboard = { path: '/dashboard', cookies: few.cookies }
  const comparisonWithBare = (
    title: string,
    request: RepeatedRequest,
    least?: number,
  ): Comparison => ({
    title,
    referenceName: 'bare node:http',
    ...(least !== undefined && { aim: { least } }),
    unit: '/s',
    measure: () => requestRate(few.app, request),
    measureReference: () => requestRate(bare, { ...up, atOnce: request.atOnce }),
  })
  const comparisons = [
    comparisonWithBare('GET /up', up, 0.7),
    comparisonWithBare('a guest’s page, JSON', { ...login, headers: json }, 0.7),
    comparisonWithBare('a guest’s page, HTML', login, 0.7),
    comparisonWithBare('a guest’s page, HTML with brotli', { ...login, headers: brotli }),
    comparisonWithBare('a logged-in page, JSON', { ...dashboard, headers: json }, 0.35),
    comparisonWithBare('a logged-in page, HTML', dashboard, 0.3),
    comparisonWithBare('a logged-in page, HTML with brotli', { ...dashboard, headers: brotli }),
    comparisonWithBare('GET /api/user', user, 0.35),
    comparisonWithBare('GET /api/user, 64 connections', { ...user, atOnce: manyConnections }, 0.35),
    {
      title: 'a logged-in page, JSON, a million users',
      referenceName: 'a thousand',
      aim: { least: 0.7 },
      unit: '/s',
      measure: () => requestRate(many.app, { ...dashboard, cookies: many.cookies, headers: json }),
      measureReference: () => requestRate(few.app, { ...dashboard, headers: json }),
    },
  ]
  // The first round lets V8 optimize; its figures are dropped.
  await compare(1, comparisons)
  return compare(rounds, comparisons)
}

/** A request that is repeated. */
export interface RepeatedRequest {
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** The cookies of sessions that are used in turn; `requestRate` updates them from each answer. */
  readonly cookies?: string[]
  /** API tokens that are used in turn. */
  readonly tokens?: readonly string[]
  /** The number of connections. */
  readonly atOnce?: number
}

/** Measures requests per second, and the processor time of each. */
export function requestRate(app: RunningProgram, request: RepeatedRequest): Promise<Measured> {
  return withProcessorTime(app, requests, () => measureRate(app, request))
}

function measureRate(
  { port }: RunningProgram,
  { path, headers = {}, cookies, tokens, atOnce = connections }: RepeatedRequest,
): Promise<number> {
  if (!cookies) {
    const bearerHeaders = tokens?.map((token) => ({ ...headers, Authorization: `Bearer ${token}` }))
    const texts = (bearerHeaders ?? [headers]).map((headers) => get(path, headers))
    const request = (n: number) => texts[n % texts.length] ?? ''
    return perSecond({ port, connections: atOnce, requests, request })
  }
  return perSecond({
    port,
    connections: atOnce,
    requests,
    request: (n) => get(path, { ...headers, Cookie: cookies[n % cookies.length] ?? '' }),
    onAnswer: (n, head) => keepCookies(cookies, n % cookies.length, head),
  })
}

/** Starts the service over `users` users, and returns it with the cookies of some who have logged in. */
export async function startFilled(programs: Programs, users: number, logins = sessions) {
  const database = programs.database()
  await fill({ file: database }, users)
  const app = await programs.app(database)
  return { app, cookies: await loggedIn(app, users, logins), database }
}

/** Logs in some of `users` users, and returns their cookies. `login` makes the request, for a peer's login. */
export async function loggedIn(
  app: RunningProgram,
  users: number,
  logins = sessions,
  login = loginFrom,
): Promise<string[]> {
  const cookies: string[] = []
  await perSecond({
    port: app.port,
    connections: 4,
    requests: logins,
    request: (n) => login(1 + Math.floor((n * users) / logins), n),
    onAnswer: (n, head) => keepCookies(cookies, n, head),
  })
  return cookies
}

/** Returns the login request of a user, the nth of all. */
function loginFrom(user: number, n: number): string {
  return post('/login', `192.0.2.${1 + (n % 200)}`, { email: emailOf(user), password })
}

/** Stores the cookies that an answer sets. */
function keepCookies(cookies: string[], n: number, head: string): void {
  const set = Array.from(head.matchAll(/\r\nset-cookie: ([^;]+)/gi), ([, cookie = '']) => cookie)
  if (set.length === 0) return
  const names = new Set(set.map(nameOf))
  const kept = (cookies[n]?.split('; ') ?? []).filter((cookie) => !names.has(nameOf(cookie)))
  cookies[n] = [...kept, ...set].join('; ')
}

function nameOf(cookie: string): string {
  return cookie.slice(0, cookie.indexOf('='))
}
