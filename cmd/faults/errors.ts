import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Extent, Tried } from './fault.ts'
import { filled } from './filled.ts'
import { type Point, pointsOf, spread } from './kill-points.ts'
import { readBack } from './read-back.ts'
import { newFolder, type Server, start } from './servers.ts'
import { need } from './tools.ts'
import { until } from './until.ts'
import { type Made, makeWrites, writesOf } from './writes.ts'

// No worker, so that the database has only what the requests wrote.
const settings = { QUEUE_WORKERS: '0' }
const longestEnding = 5000

/** A write or an fsync that fails, through the disk's fault or its being full, at points over a whole run. */
export async function errors({ quick }: Extent): Promise<readonly Tried[]> {
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
    await failing(folder, { error: 'EIO', what: 'a write fails', points: writes }),
    await failing(folder, { error: 'ENOSPC', what: 'a write finds no space', points: writes }),
    await failing(folder, { error: 'EIO', what: 'an fsync fails', points: syncs }),
  ]
}

function isWrite({ call }: Point): boolean {
  return call === 'pwrite64'
}

interface Failing {
  readonly error: string
  readonly what: string
  readonly points: readonly Point[]
}

async function failing(folder: string, { error, what, points }: Failing): Promise<Tried> {
  const seen: Seen[] = []
  for (const point of points) seen.push(await failingAt(folder, error, point))
  const made = seen.reduce((sum, each) => sum + each.writes, 0)
  const wrong = seen.flatMap((each) => each.wrong)
  const needed = seen.filter(({ mustEnd }) => mustEnd)
  const ended = needed.filter(({ hasEnded }) => hasEnded).length
  const hit = seen.filter(({ isInjected }) => isInjected).length
  return {
    fault: `${what} (${error}), once, at ${points.length} points of a whole run`,
    promise:
      'the change is whole or absent, never acknowledged; after a failed fsync the process ends',
    measured:
      `the error met ${hit} times; ${made} of ${seen.length * writesOf} writes acknowledged, ` +
      `${wrong.length} of them or of the others missing or half there` +
      (needed.length > 0
        ? `; ended after ${ended} of ${needed.length} failed fsyncs of a commit`
        : '') +
      wrong.map((each) => `\n            ${each}`).join(''),
    holds: hit > 0 && wrong.length === 0 && ended === needed.length,
  }
}

interface Seen {
  /** How many writes were acknowledged. */
  readonly writes: number
  readonly wrong: readonly string[]
  readonly isInjected: boolean
  readonly mustEnd: boolean
  readonly hasEnded: boolean
}

async function failingAt(folder: string, error: string, { call, at }: Point): Promise<Seen> {
  const copy = copyOf(folder)
  const calls = join(newFolder(), 'calls')
  const inject = ['-y', '-o', calls, '-e', `inject=${call}:error=${error}:when=${at}`]
  // Only a failed sync of the database's log must end the server: other files are synced again with the next change.
  const isOfCommit = () => /sync\(\d+<[^>]*-wal>.*INJECTED/.test(readFileSync(calls, 'utf8'))
  const through = [need('strace'), '-D', '-f', '-qq', ...inject]
  const { made, mustEnd, hasEnded } = await runThrough(copy, through, isOfCommit)
  const isInjected = readFileSync(calls, 'utf8').includes('INJECTED')
  const wrong = (await readBack(copy, made)).map((what) => `${call} ${at}: ${what}`)
  return { writes: made.count, wrong, isInjected, mustEnd, hasEnded }
}

function copyOf(folder: string): string {
  const copy = newFolder()
  cpSync(folder, copy, { recursive: true })
  return copy
}

interface Run {
  readonly made: Made
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
  if (!server) return { made: nothing, mustEnd: mustEndNow(), hasEnded: true }
  let hasEnded = false
  void server.ended.then(({ code }) => (hasEnded = code !== 0))
  const made = await makeWrites(server)
  const mustEnd = mustEndNow()
  if (mustEnd) await until(() => hasEnded, longestEnding)
  const seen = { made, mustEnd, hasEnded }
  await server.stop()
  return seen
}

const nothing: Made = { count: 0, emails: [], asked: [], name: 0, tokens: 0, photo: false }

/** Starts a server; undefined when it ends before it serves. */
async function started(place: Parameters<typeof start>[0]): Promise<Server | undefined> {
  try {
    return await start(place)
  } catch {
    return undefined
  }
}
