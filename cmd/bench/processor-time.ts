import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Microseconds that all threads of a program have had of a processor. Only Linux tells it in files: NaN elsewhere. */
export function processorTime(pid: number): number {
  const tasks = `/proc/${pid}/task`
  if (!existsSync(tasks)) return Number.NaN
  const spent = readdirSync(tasks).map((task) => nanoseconds(`${tasks}/${task}/schedstat`))
  return spent.reduce((sum, one) => sum + one, 0) / 1000
}

function nanoseconds(file: string): number {
  return Number(readFileSync(file, 'utf8').split(' ', 1)[0])
}
