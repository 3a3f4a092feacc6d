import { messageOf } from '../../base/error-message.ts'
import { storable } from '../../base/text/storable.ts'
import { toJson } from '../../base/text/to-json.ts'
import { unlessAborted } from '../../base/unless-aborted.ts'
import type { App } from '../../app.ts'
import type { Job } from '../../db/jobs.ts'
import type { Work } from './job-names.ts'
import { longestRun } from './retry-delays.ts'

/**
 * Runs a job once, and returns its error if it failed. A run that takes too long fails; `end` cuts it off,
 * with the abort's reason as the error.
 */
export async function runOnce(
  app: App,
  work: Partial<Work>,
  job: Job,
  end = new AbortController(),
): Promise<unknown> {
  const timer = setTimeout(
    () => end.abort(new Error(`It took longer than ${longestRun / 1000} seconds.`)),
    longestRun,
  )
  try {
    await unlessAborted(begin(app, work, job, end.signal), end.signal)
    return undefined
  } catch (error) {
    return error ?? new Error('It failed without an error.')
  } finally {
    clearTimeout(timer)
  }
}

async function begin(
  app: App,
  work: Partial<Work>,
  { name, payload }: Job,
  signal: AbortSignal,
): Promise<void> {
  const runners: Readonly<Record<string, Runner | undefined>> = work
  const runner = runners[name]
  if (!runner) throw new Error(`This version knows no job ${name}.`)
  // Jobs are pushed by name, so the payload is of that kind.
  await runner.run(app, JSON.parse(payload), signal)
}

interface Runner {
  run(app: App, payload: unknown, signal: AbortSignal): Promise<void>
}

const mostText = 2000

/** Returns an error's message, with its causes and a server's answer, as stored with the job. */
export function whyFailed(error: unknown): string {
  const parts: string[] = []
  for (let at = error; at !== undefined && at !== null && parts.length < 8; at = causeOf(at))
    parts.push(textOf(at), ...answerOf(at))
  const distinct = parts.filter(
    (text, i) => !parts.slice(0, i).some((earlier) => earlier.includes(text)),
  )
  return storable(distinct.join(' – ')).slice(0, mostText)
}

function textOf(error: unknown): string {
  if (error instanceof Error) return messageOf(error) || error.name
  return typeof error === 'string' ? error : JSON.stringify(toJson(error))
}

function causeOf(error: unknown): unknown {
  return error instanceof Error ? error.cause : undefined
}

/** Returns an SMTP server's own words. */
function answerOf(error: unknown): string[] {
  return error instanceof Error && 'response' in error ? [String(error.response)] : []
}
