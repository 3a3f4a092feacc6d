import { minute } from '../../base/time-units.ts'

/** Milliseconds between the runs: four hours and three minutes in all. */
// oxfmt-ignore
const waits = [minute / 6, minute / 2, minute, 3 * minute, 8 * minute, 20 * minute, 40 * minute, 70 * minute, 100 * minute]

/** A job runs so often, and then has failed for good (spec: Limits). */
export const mostRuns = waits.length + 1

/** How long after its so-manyeth run failed a job waits for the next, in milliseconds; undefined: it has had its last. */
export function delayAfter(run: number): number | undefined {
  return waits[run - 1]
}

/** No job waits longer, in milliseconds. */
export const longestDelay = Math.max(...waits)

/** A run may take two minutes: a mailer takes a minute at most. Milliseconds. */
export const longestRun = 120_000
