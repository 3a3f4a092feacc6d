import { addTokens } from './add-tokens.ts'
import { fill } from '../../internal/testing/database/fill-database.ts'
import { logins, registrations } from './hashing.ts'
import { type RepeatedRequest, asking, filled } from './pages.ts'
import type { Programs } from './programs.ts'
import { few, many, manyPagesRow, residentMegabytes, restingRow } from './rest.ts'
import { compared, type Comparison, type Row } from './table.ts'

// Many short rounds, so that both sides of a ratio are measured under the same machine load.
const rounds = 15
const requests = 1600
const users = 1000

const json = { 'X-Page': 'true' }
const brotli = { 'Accept-Encoding': 'br' }

/** Compares this executable with another one, such as an earlier commit's, path by path. */
export async function besideAnother(
  programs: Programs,
  another: Programs,
): Promise<readonly Row[]> {
  const [ours, theirs] = [await subjectOf(programs), await subjectOf(another)]
  const common = { comparedWith: 'the other', unit: '/s' }
  const paths: readonly (readonly [
    title: string,
    requestOf: (subject: Subject) => RepeatedRequest,
  ])[] = [
    ['GET /up', () => ({ path: '/up' })],
    ['a guest’s page, JSON', () => ({ path: '/login', headers: json })],
    ['a guest’s page, HTML with brotli', () => ({ path: '/login', headers: brotli })],
    [
      'a logged-in page, JSON',
      ({ cookies }) => ({ path: '/settings/appearance', cookies, headers: json }),
    ],
    [
      'a logged-in page, HTML with brotli',
      ({ cookies }) => ({ path: '/settings/appearance', cookies, headers: brotli }),
    ],
    ['GET /api/user', ({ tokens }) => ({ path: '/api/user', tokens })],
  ]
  const comparisons: readonly Comparison[] = [
    ...paths.map(([title, requestOf]) => ({
      ...common,
      title,
      of: () => asking(ours.app, requestOf(ours)),
      to: () => asking(theirs.app, requestOf(theirs)),
    })),
    { ...common, title: 'login', of: () => logins(ours.app), to: () => logins(theirs.app) },
    {
      ...common,
      title: 'register',
      of: () => registrations(ours.app),
      to: () => registrations(theirs.app),
    },
  ]
  // The first round lets V8 optimize; its figures are dropped.
  await compared(1, comparisons)
  const rows = await compared(rounds, comparisons)
  await Promise.all([programs.end(), another.end()])
  return [...rows, ...(await startsAndRests(programs, another))]
}

type Subject = Awaited<ReturnType<typeof subjectOf>>

async function subjectOf(programs: Programs) {
  const subject = await filled(programs, users)
  // As many tokens as requests: each token is used once per row and round, and may be used 60 times a minute.
  return { ...subject, tokens: await addTokens({ file: subject.database }, requests) }
}

async function startsAndRests(programs: Programs, another: Programs): Promise<readonly Row[]> {
  const [ours, theirs] = [programs.database(), another.database()]
  await Promise.all([ours, theirs].map((file) => fill({ file }, users)))
  const common = { comparedWith: 'the other' }
  const starts = await compared(20, [
    {
      ...common,
      title: 'start to the first 200',
      unit: 'ms',
      of: () => upAfter(programs, ours),
      to: () => upAfter(another, theirs),
    },
  ])
  const after = (pages: number) => ({
    ...common,
    unit: 'MB',
    of: async () => residentMegabytes(await programs.app(ours), pages),
    to: async () => residentMegabytes(await another.app(theirs), pages),
  })
  const rests = await compared(3, [
    { ...after(few), title: restingRow },
    { ...after(many), title: manyPagesRow },
  ])
  return [...starts, ...rests]
}

async function upAfter(programs: Programs, database: string): Promise<number> {
  const app = await programs.app(database)
  await app.stop()
  return app.upAfter
}
