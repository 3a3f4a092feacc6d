import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Extent, Verdict } from './tools/fault.ts'
import { filled } from './tools/filled.ts'
import { type Point, pointsOf, spread } from './tools/kill-points.ts'
import { readBack } from './tools/read-back.ts'
import { newFolder, type Server, start } from './tools/servers.ts'
import { need } from './tools/system-tools.ts'
import { until } from './tools/until.ts'
import { type MadeWrites, makeWrites, writesOf } from './tools/writes.ts'

// No workers, so that the database contains only what the requests wrote.
const settings = { QUEUE_WORKERS: '0' }
const longestEnding = 5000

/** Makes a write or an fsync fail, by a disk error or a full disk, at points over a whole run. */
export async function errors({ quick }: Extent): Promise<readonly Verdict[]> {
  const strace = need('strace')
  const { folder } = await filled(1)
  const points = await pointsOf(strace, (through) => runThrough(copyOf(folder), through))
  const most = quick ? 8 : 60
  const syncs = spread(
    points.filter((point) => !isWrite(point)),
    most,
  )
  const writes = spread(points.filter(isWrite), most)
  return [
    await failing(folder, { error: 'EIO', effect: 'a write fails', points: writes }),
    await failing(folder, { error: 'ENOSPC', effect: 'a write finds no space', points: writes }),
    await failing(folder, { error: 'EIO', effect: 'an fsync fails', points: syncs }),
  ]
}

function isWrite({ call }: Point): boolean {
  return call === 'pwrite64'
}

interface Failing {
  readonly error: string
  readonly effect: string
  readonly points: readonly Point[]
}

async function failing(folder: string, { error, effect, points }: Failing): Promise<Verdict> {
  const observations: Observation[] = []
  for (const point of points) observations.push(await failingAt(folder, error, point))
  const acknowledged = observations.reduce((sum, each) => sum + each.writes, 0)
  const wrong = observations.flatMap((each) => each.wrong)
  const needed = observations.filter(({ mustEnd }) => mustEnd)
  const ended = needed.filter(({ hasEnded }) => hasEnded).length
  const hit = observations.filter(({ isInjected }) => isInjected).length
  return {
    fault: `${effect} (${error}), once, at ${points.length} points of a whole run`,
    promise:
      'the change is whole or absent, never acknowledged; after a failed fsync the process ends',
    measured:
      `the error met ${hit} times; ${acknowledged} of ${observations.length * writesOf} writes acknowledged, ` +
      `${wrong.length} of them or of the others missing or half there` +
      (needed.length > 0
        ? `; ended after ${ended} of ${needed.length} failed fsyncs of a commit`
        : '') +
      wrong.map((each) => `\n            ${each}`).join(''),
    isKept: hit > 0 && wrong.length === 0 && ended === needed.length,
  }
}

interface Observation {
  /** How many writes were acknowledged. */
  readonly writes: number
  readonly wrong: readonly string[]
  readonly isInjected: boolean
  readonly mustEnd: boolean
  readonly hasEnded: boolean
}

async function failingAt(folder: string, error: string, { call, at }: Point): Promise<Observation> {
  const copy = copyOf(folder)
  const calls = join(newFolder(), 'calls')
  const inject = ['-y', '-o', calls, '-e', `inject=${call}:error=${error}:when=${at}`]
  // Only a failed sync of the database's log must end the server: other files are synced again with the next change.
  const isOfCommit = () => /sync\(\d+<[^>]*-wal>.*INJECTED/.test(readFileSync(calls, 'utf8'))
  const through = [need('strace'), '-D', '-f', '-qq', ...inject]
  const { writes, mustEnd, hasEnded } = await runThrough(copy, through, isOfCommit)
  const isInjected = readFileSync(calls, 'utf8').includes('INJECTED')
  const wrong = (await readBack(copy, writes)).map((message) => `${call} ${at}: ${message}`)
  return { writes: writes.count, wrong, isInjected, mustEnd, hasEnded }
}

function copyOf(folder: string): string {
  const copy = newFolder()
  cpSync(folder, copy, { recursive: true })
  return copy
}

interface Run {
  readonly writes: MadeWrites
  readonly mustEnd: boolean
  readonly hasEnded: boolean
}

/** Starts, writes and stops. Neither the start nor any of the writes needs to succeed. */
async function runThrough(
  folder: string,
  through: readonly string[],
  mustEndNow = () => false,
): Promise<Run> {
  const files = { FILES_PATH: join(folder, 'files') }
  const server = await started({ folder, through, settings: { ...settings, ...files } })
  if (!server) return { writes: noWrites, mustEnd: mustEndNow(), hasEnded: true }
  let hasEnded = false
  void server.ended.then(({ code }) => (hasEnded = code !== 0))
  const writes = await makeWrites(server)
  const mustEnd = mustEndNow()
  if (mustEnd) await until(() => hasEnded, longestEnding)
  const run = { writes, mustEnd, hasEnded }
  await server.stop()
  return run
}

const noWrites: MadeWrites = {
  count: 0,
  emails: [],
  resetEmails: [],
  name: 0,
  tokens: 0,
  photo: false,
}

/** Starts a server; undefined if it ends before it serves. */
async function started(place: Parameters<typeof start>[0]): Promise<Server | undefined> {
  try {
    return await start(place)
  } catch {
    return undefined
  }
}
