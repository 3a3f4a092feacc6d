import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from './servers.ts'

/** A system call at which a process is killed: the `at`th call with this name, from 1. */
export interface Point {
  readonly call: string
  readonly at: number
}

// The system calls with which the database writes to disk. strace counts each name in each thread separately.
const written = 'pwrite64,fsync,fdatasync'

// `-D`: the started process becomes the program, with strace as its child.
const lookingOn = ['-D', '-f', '-qq']

/** Returns the command prefix with which strace kills a program at a point. */
export function killedAt(strace: string, { call, at }: Point): readonly string[] {
  const killed = `inject=${call}:signal=SIGKILL:when=${at}`
  return [strace, ...lookingOn, '-o', '/dev/null', '-e', killed]
}

/** Returns the points of all such calls in a whole run. */
export async function pointsOf(
  strace: string,
  runWhole: (through: readonly string[]) => Promise<unknown>,
  calls = written,
): Promise<readonly Point[]> {
  const file = join(newFolder(), 'calls')
  await runWhole([strace, ...lookingOn, '-o', file, '-e', `trace=${calls}`])
  return counted(readFileSync(file, 'utf8'))
}

/** Returns at most `most` of the points, spread evenly from the first to the last. */
export function spread(points: readonly Point[], most: number): readonly Point[] {
  const step = Math.max(1, (points.length - 1) / (most - 1))
  return Array.from({ length: most }, (_, n) => points[Math.round(n * step)]).filter(
    (point) => point !== undefined,
  )
}

function counted(log: string): readonly Point[] {
  const counts = new Map<string, number>()
  return [...log.matchAll(/^(\d+) +(\w+)\(/gm)].map(([, thread = '', call = '']) => {
    const key = `${thread} ${call}`
    const at = (counts.get(key) ?? 0) + 1
    counts.set(key, at)
    return { call, at }
  })
}
