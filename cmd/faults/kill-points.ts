import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newFolder } from './servers.ts'

/** A call to the system at which a process is killed, and the how-manyeth of its kind it is, from 1. */
export interface Point {
  readonly call: string
  readonly at: number
}

// Those by which the database reaches the disk. strace counts each kind of each thread for itself.
const written = 'pwrite64,fsync,fdatasync'

// The program itself is what was started, and strace looks on.
const lookingOn = ['-D', '-f', '-qq']

/** What a program is started through to be killed at a point. */
export function killedAt(strace: string, { call, at }: Point): readonly string[] {
  const killed = `inject=${call}:signal=SIGKILL:when=${at}`
  return [strace, ...lookingOn, '-o', '/dev/null', '-e', killed]
}

/** All the calls that a whole run makes, of those kinds. */
export async function pointsOf(
  strace: string,
  whole: (through: readonly string[]) => Promise<unknown>,
  calls = written,
): Promise<readonly Point[]> {
  const file = join(newFolder(), 'calls')
  await whole([strace, ...lookingOn, '-o', file, '-e', `trace=${calls}`])
  return counted(readFileSync(file, 'utf8'))
}

/** So many of them at most, from the first to the last. */
export function spread(points: readonly Point[], most: number): readonly Point[] {
  const step = Math.max(1, (points.length - 1) / (most - 1))
  return Array.from({ length: most }, (_, n) => points[Math.round(n * step)]).filter(
    (point) => point !== undefined,
  )
}

function counted(log: string): readonly Point[] {
  const seen = new Map<string, number>()
  return [...log.matchAll(/^(\d+) +(\w+)\(/gm)].map(([, thread = '', call = '']) => {
    const key = `${thread} ${call}`
    const at = (seen.get(key) ?? 0) + 1
    seen.set(key, at)
    return { call, at }
  })
}
