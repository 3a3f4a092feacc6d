import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDatabase } from '#db/driver'
import { emailOf } from '../../internal/testing/database/fill-database.ts'
import { type Credential, credentialsOf } from './tools/credentials.ts'
import type { Extent, Verdict } from './tools/fault.ts'
import { count, maximum, ms } from './tools/figures.ts'
import { createFilledDatabase } from './tools/filled-database.ts'
import { newFolder, type Server, start } from './tools/servers.ts'
import { need } from './tools/system-tools.ts'
import { until } from './tools/until.ts'

const hour = 3600
const day = 24 * hour

// oxfmt-ignore
const moves = [
  { name: '+1 h',     seconds: hour },
  { name: '−1 h',     seconds: -hour },
  { name: '+1 day',   seconds: day },
  { name: '−1 day',   seconds: -day },
  { name: '+40 days', seconds: 40 * day },
]
const longestPoll = 1000
/** Users per round: each credential belongs to a different user. */
const usersPerRound = 8

/** Moves the server's clock while it runs, and sets it right again. */
export async function clock({ quick }: Extent): Promise<readonly Verdict[]> {
  const rounds = quick ? 1 : 5
  const { folder } = await createFilledDatabase(1 + moves.length * rounds * usersPerRound)
  const movableClock = createMovableClock()
  const server = await start({ folder, settings: movableClock.settings })
  const verdicts: Verdict[] = []
  for (const [n, { name, seconds }] of moves.entries()) {
    const observations: Observation[] = []
    for (let round = 0; round < rounds; round++) {
      const firstUser = 2 + (n * rounds + round) * usersPerRound
      observations.push(await moveOnce(server, { firstUser, seconds, set: movableClock.set }))
    }
    verdicts.push(verdict(name, observations))
  }
  await server.stop()
  return verdicts
}

/** Returns a clock that is a settable number of seconds ahead. */
export function createMovableClock() {
  const file = join(newFolder(), 'clock')
  const set = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}s\n`)
  set(0)
  const settings = {
    LD_PRELOAD: need('libfaketime'),
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    // Not the monotonic clock, which does not move with a real machine's clock either.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  }
  return { set, settings }
}

interface MoveOptions {
  readonly firstUser: number
  readonly seconds: number
  readonly set: (seconds: number) => void
}

interface Observation {
  readonly credentials: readonly Credential[]
  /** How many milliseconds each job waited that no signal announced. */
  readonly polls: readonly number[]
}

/** Tries each credential before, during and after the change; half of them for the first time during it. */
async function moveOnce(
  server: Server,
  { firstUser, seconds, set }: MoveOptions,
): Promise<Observation> {
  const { early, late } = await credentialsOf(server, firstUser, seconds)
  const polls: number[] = []
  try {
    await tryAll(early)
    set(seconds)
    polls.push(await pollOnce(server, seconds))
    await tryAll([...early, ...late])
    set(0)
    polls.push(await pollOnce(server, 0))
    await tryAll([...early, ...late])
  } finally {
    set(0)
  }
  return { credentials: [...early, ...late], polls }
}

async function tryAll(credentials: readonly Credential[]): Promise<void> {
  for (const credential of credentials) await credential.try()
}

/** Returns how long two jobs wait that this process, not the server, adds; one of them has a due time. */
async function pollOnce({ database }: Server, seconds: number): Promise<number> {
  const db = await openDatabase({ file: database })
  const now = new Date(Date.now() + seconds * 1000)
  const payload = JSON.stringify({ email: emailOf(1) })
  await db.run`
    INSERT INTO jobs (name, payload, run_at, created_at)
    VALUES ('ResetMail', ${payload}, NULL, ${now}), ('ResetMail', ${payload}, ${now}, ${now})`
  const countJobs = async () => {
    const row = await db.first<{ jobs: number }>`
      SELECT count(*) AS jobs FROM jobs WHERE payload = ${payload}`
    return row?.jobs ?? 0
  }
  const waited = await until(async () => (await countJobs()) === 0, 20 * longestPoll)
  await db.close()
  return waited
}

function verdict(name: string, observations: readonly Observation[]): Verdict {
  const credentials = observations.flatMap((each) => each.credentials)
  const acceptedTwice = credentials.filter(({ accepted }) => accepted > 1)
  const neverAccepted = credentials.filter(({ accepted, isEarly }) => isEarly && accepted === 0)
  const tries = credentials.reduce((sum, each) => sum + each.tries, 0)
  const acceptedOnce = credentials.filter(({ accepted }) => accepted === 1).length
  const slowestPoll = maximum(observations.flatMap((each) => each.polls))
  return {
    fault: `the clock moved by ${name} and back, ${observations.length} times`,
    promise: 'no code or link accepted twice, workers poll within 1 s',
    figures:
      `${credentials.length} codes and links tried ${count(tries)} times: ${acceptedOnce} accepted once, ${acceptedTwice.length} twice` +
      (acceptedTwice.length > 0 ? ` (${names(acceptedTwice)})` : '') +
      (neverAccepted.length > 0
        ? `, ${neverAccepted.length} never that should be (${names(neverAccepted)})`
        : '') +
      `; jobs done within ${ms(slowestPoll)}`,
    isKept:
      acceptedTwice.length === 0 &&
      neverAccepted.length === 0 &&
      acceptedOnce > 0 &&
      slowestPoll <= longestPoll,
  }
}

function names(credentials: readonly Credential[]): string {
  return credentials.map((each) => each.name).join(', ')
}
