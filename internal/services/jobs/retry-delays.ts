import { minute } from '../../base/time-units.ts'

/** Milliseconds between the runs: four hours and three minutes in all. */
// oxfmt-ignore
const waits = [minute / 6, minute / 2, minute, 3 * minute, 8 * minute, 20 * minute, 40 * minute, 70 * minute, 100 * minute]

/** The most runs of a job: then it has failed for good (spec: Limits). */
export const mostRuns = waits.length + 1

/**
 * How long a job waits after its run of this number, from 1, has failed, in milliseconds; undefined after its last run.
 */
export function delayAfter(run: number): number | undefined {
  return waits[run - 1]
}

/** No job waits longer, in milliseconds. */
export const longestDelay = Math.max(...waits)

/** A run may take two minutes: a mailer takes a minute at most. Milliseconds. */
export const longestRun = 120_000
