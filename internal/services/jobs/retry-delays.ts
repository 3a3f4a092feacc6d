import { minute } from '../../base/time-units.ts'

/** Milliseconds between the runs: four hours and three minutes in all. */
// oxfmt-ignore
const waits = [minute / 6, minute / 2, minute, 3 * minute, 8 * minute, 20 * minute, 40 * minute, 70 * minute, 100 * minute]

/** The most runs of a job, after which it has failed for good (spec: Limits). */
export const mostRuns = waits.length + 1

/** Returns the milliseconds to wait after the failed run of this number, from 1; undefined after the last. */
export function delayAfter(run: number): number | undefined {
  return waits[run - 1]
}

/** The longest wait of a job, in milliseconds. */
export const longestDelay = Math.max(...waits)

/** Milliseconds of the longest run: two minutes, since a mailer takes one at most. */
export const longestRun = 120_000
