import { logins, registrations } from './hashing.ts'
import { type RepeatedRequest, requestRate } from './pages.ts'
import type { RunningProgram } from './programs.ts'
import type { Comparison, Measured } from './table.ts'

/** A build of the service that runs, with what its requests are made with. */
export interface RunningBuild {
  readonly app: RunningProgram
  readonly cookies: string[]
  readonly tokens: readonly string[]
}

const json = { 'X-Page': 'true' }
const brotli = { 'Accept-Encoding': 'br' }

/** By title: the request that is repeated. */
const requests = {
  'GET /up': () => ({ path: '/up' }),
  'a guest’s page, JSON': () => ({ path: '/login', headers: json }),
  'a guest’s page, HTML with brotli': () => ({ path: '/login', headers: brotli }),
  'a logged-in page, JSON': ({ cookies }) => ({
    path: '/settings/appearance',
    cookies,
    headers: json,
  }),
  'a logged-in page, HTML with brotli': ({ cookies }) => ({
    path: '/settings/appearance',
    cookies,
    headers: brotli,
  }),
  'GET /api/user': ({ tokens }) => ({ path: '/api/user', tokens }),
} satisfies Record<string, (build: RunningBuild) => RepeatedRequest>

type RequestTitle = keyof typeof requests
const requestTitles = Object.keys(requests) as RequestTitle[]

/** Returns how a build is compared with another one: by the rates of requests, of logins and of registrations. */
export function rateComparisons(
  referenceName: string,
  { build, reference }: { readonly build: RunningBuild; readonly reference: RunningBuild },
  titles: readonly RequestTitle[] = requestTitles,
): readonly Comparison[] {
  const rate = (title: string, rateOf: (build: RunningBuild) => Promise<Measured>): Comparison => ({
    title,
    referenceName,
    unit: '/s',
    measure: () => rateOf(build),
    measureReference: () => rateOf(reference),
  })
  return [
    ...titles.map((title) => rate(title, (each) => requestRate(each.app, requests[title](each)))),
    rate('login', ({ app }) => logins(app)),
    rate('register', ({ app }) => registrations(app)),
  ]
}
