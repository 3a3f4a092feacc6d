import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from './servers.ts'

/** A system call at which a process is killed: the `occurrence`th call with this name, from 1. */
export interface KillPoint {
  readonly call: string
  readonly occurrence: number
}

// The system calls with which the database writes to disk. strace counts each name in each thread separately.
const diskCalls = 'pwrite64,fsync,fdatasync'

// `-D`: the started process becomes the program, with strace as its child.
const straceOptions = ['-D', '-f', '-qq']

/** Returns the command prefix with which strace kills a program at a point. */
export function killPrefix(strace: string, { call, occurrence }: KillPoint): readonly string[] {
  const injection = `inject=${call}:signal=SIGKILL:when=${occurrence}`
  return [strace, ...straceOptions, '-o', '/dev/null', '-e', injection]
}

/** Returns the points of all such calls in a whole run. */
export async function listKillPoints(
  strace: string,
  runWithPrefix: (launcher: readonly string[]) => Promise<unknown>,
  calls = diskCalls,
): Promise<readonly KillPoint[]> {
  const file = join(newFolder(), 'calls')
  await runWithPrefix([strace, ...straceOptions, '-o', file, '-e', `trace=${calls}`])
  return parseCalls(readFileSync(file, 'utf8'))
}

/** Returns at most `most` of the points, spread evenly from the first to the last. */
export function spread(points: readonly KillPoint[], most: number): readonly KillPoint[] {
  const step = Math.max(1, (points.length - 1) / (most - 1))
  return Array.from({ length: most }, (_, n) => points[Math.round(n * step)]).filter(
    (point) => point !== undefined,
  )
}

function parseCalls(log: string): readonly KillPoint[] {
  const counts = new Map<string, number>()
  return [...log.matchAll(/^(\d+) +(\w+)\(/gm)].map(([, thread = '', call = '']) => {
    const key = `${thread} ${call}`
    const occurrence = (counts.get(key) ?? 0) + 1
    counts.set(key, occurrence)
    return { call, occurrence }
  })
}
