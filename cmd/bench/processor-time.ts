import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { RunningProgram } from './programs.ts'
import type { Measured } from './table.ts'

/** Adds to a measurement the program's processor time per request. */
export async function withProcessorTime(
  { pid }: RunningProgram,
  requests: number,
  measure: () => Promise<number>,
): Promise<Measured> {
  const before = processorTime(pid)
  const value = await measure()
  return { value, processor: (processorTime(pid) - before) / requests }
}

/**
 * Returns the microseconds of processor time used by all threads of a program; NaN except on Linux, which has it in a
 * file.
 */
function processorTime(pid: number): number {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return Number.NaN
  const threadTimes = readdirSync(tasks).map((task) => nanoseconds(`${tasks}/${task}/schedstat`))
  return threadTimes.reduce((sum, time) => sum + time, 0) / 1000
}

function nanoseconds(file: string): number {
  return Number(readFileSync(file, 'utf8').split(' ', 1)[0])
}
