import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Extent, Verdict } from './tools/fault.ts'
import { createFilledDatabase } from './tools/filled-database.ts'
import { type KillPoint, listKillPoints, spread } from './tools/kill-points.ts'
import { readBack } from './tools/read-back.ts'
import { newFolder, type Server, start } from './tools/servers.ts'
import { need } from './tools/system-tools.ts'
import { until } from './tools/until.ts'
import { type AcknowledgedWrites, makeWrites, attemptedWrites } from './tools/writes.ts'

// No workers, so that the database contains only what the requests wrote.
const settings = { QUEUE_WORKERS: '0' }
const longestEnding = 5000

/** Makes a write or an fsync fail, by a disk error or a full disk, at points over a whole run. */
export async function errors({ quick }: Extent): Promise<readonly Verdict[]> {
  const strace = need('strace')
  const { folder } = await createFilledDatabase(1)
  const points = await listKillPoints(strace, (launcher) =>
    runWithLauncher(copyOf(folder), launcher),
  )
  const most = quick ? 8 : 60
  const syncPoints = spread(
    points.filter((point) => !isWrite(point)),
    most,
  )
  const writePoints = spread(points.filter(isWrite), most)
  return [
    await tryFailures(folder, { error: 'EIO', effect: 'a write fails', points: writePoints }),
    await tryFailures(folder, {
      error: 'ENOSPC',
      effect: 'a write finds no space',
      points: writePoints,
    }),
    await tryFailures(folder, { error: 'EIO', effect: 'an fsync fails', points: syncPoints }),
  ]
}

function isWrite({ call }: KillPoint): boolean {
  return call === 'pwrite64'
}

interface FailureOptions {
  readonly error: string
  readonly effect: string
  readonly points: readonly KillPoint[]
}

async function tryFailures(
  folder: string,
  { error, effect, points }: FailureOptions,
): Promise<Verdict> {
  const observations: Observation[] = []
  for (const point of points) observations.push(await tryFailure(folder, error, point))
  const acknowledged = observations.reduce((sum, each) => sum + each.writes, 0)
  const faults = observations.flatMap((each) => each.faults)
  const mustHaveEnded = observations.filter(({ mustEndServer }) => mustEndServer)
  const endedCount = mustHaveEnded.filter(({ hasEnded }) => hasEnded).length
  const injectedCount = observations.filter(({ isInjected }) => isInjected).length
  return {
    fault: `${effect} (${error}), once, at ${points.length} points of a whole run`,
    promise:
      'the change is whole or absent, never acknowledged; after a failed fsync the process ends',
    figures:
      `the error met ${injectedCount} times; ${acknowledged} of ${observations.length * attemptedWrites} writes acknowledged, ` +
      `${faults.length} of them or of the others missing or half there` +
      (mustHaveEnded.length > 0
        ? `; ended after ${endedCount} of ${mustHaveEnded.length} failed fsyncs of a commit`
        : '') +
      faults.map((each) => `\n            ${each}`).join(''),
    isKept: injectedCount > 0 && faults.length === 0 && endedCount === mustHaveEnded.length,
  }
}

interface Observation {
  /** How many writes were acknowledged. */
  readonly writes: number
  readonly faults: readonly string[]
  readonly isInjected: boolean
  readonly mustEndServer: boolean
  readonly hasEnded: boolean
}

async function tryFailure(
  folder: string,
  error: string,
  { call, occurrence: at }: KillPoint,
): Promise<Observation> {
  const copy = copyOf(folder)
  const calls = join(newFolder(), 'calls')
  const inject = ['-y', '-o', calls, '-e', `inject=${call}:error=${error}:when=${at}`]
  // Only a failed sync of the database's log must end the server: other files are synced again with the next change.
  const hasCommitFailed = () => /sync\(\d+<[^>]*-wal>.*INJECTED/.test(readFileSync(calls, 'utf8'))
  const launcher = [need('strace'), '-D', '-f', '-qq', ...inject]
  const { writes, mustEndServer, hasEnded } = await runWithLauncher(copy, launcher, hasCommitFailed)
  const isInjected = readFileSync(calls, 'utf8').includes('INJECTED')
  const faults = (await readBack(copy, writes)).map((message) => `${call} ${at}: ${message}`)
  return { writes: writes.count, faults, isInjected, mustEndServer, hasEnded }
}

function copyOf(folder: string): string {
  const copy = newFolder()
  cpSync(folder, copy, { recursive: true })
  return copy
}

interface Run {
  readonly writes: AcknowledgedWrites
  readonly mustEndServer: boolean
  readonly hasEnded: boolean
}

/** Starts, writes and stops. Neither the start nor any of the writes needs to succeed. */
async function runWithLauncher(
  folder: string,
  launcher: readonly string[],
  isEndRequired = () => false,
): Promise<Run> {
  const files = { FILES_PATH: join(folder, 'files') }
  const server = await startUnlessEnded({ folder, launcher, settings: { ...settings, ...files } })
  if (!server) return { writes: noWrites, mustEndServer: isEndRequired(), hasEnded: true }
  let hasEnded = false
  void server.ended.then(({ code }) => (hasEnded = code !== 0))
  const writes = await makeWrites(server)
  const mustEndServer = isEndRequired()
  if (mustEndServer) await until(() => hasEnded, longestEnding)
  const run = { writes, mustEndServer, hasEnded }
  await server.stop()
  return run
}

const noWrites: AcknowledgedWrites = {
  count: 0,
  emails: [],
  resetEmails: [],
  name: 0,
  tokens: 0,
  photo: false,
}

/** Starts a server; undefined if it ends before it serves. */
async function startUnlessEnded(place: Parameters<typeof start>[0]): Promise<Server | undefined> {
  try {
    return await start(place)
  } catch {
    return undefined
  }
}
