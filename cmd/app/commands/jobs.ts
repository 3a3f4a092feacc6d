import { jobs } from '#db/jobs'
import { appName } from '../../../web/contract/name.ts'
import { escapeControls } from '../../../internal/base/text/escape.ts'
import type { Database } from '../../../internal/db/db.ts'
import type { Job } from '../../../internal/db/jobs.ts'
import { mailedTo } from '../../../internal/services/jobs/mailed-to.ts'
import { withDatabase } from './database/with-database.ts'
import { printRows } from './output/print-rows.ts'
import { shorten, formatTime } from './output/table.ts'
import { counted } from '../../../internal/base/text/printed-sizes.ts'

/** Lists the jobs that failed for good, newest failure first; works beside a running server. */
export async function listJobs({ json }: { json: boolean }): Promise<number> {
  await withDatabase((db) =>
    printRows(listFailed(db), { json, head, cellsOf, jsonOf, none: noneFailed }),
  )
  return 0
}

const head = ['ID', 'NAME', 'TRIES', 'FAILED AT', 'TO', 'ERROR']

/** Returns the cells of a job; the error comes last, since it may be of any length. */
function cellsOf({ id, name, payload, tries, failedAt, error }: Job): string[] {
  const to = shorten(mailedTo(payload) ?? '', 60)
  return [String(id), name, String(tries), formatTime(failedAt), to, error ?? '']
}

function jsonOf({ id, name, payload, tries, failedAt, error }: Job): object {
  return { id, name, tries, failedAt, to: mailedTo(payload), error }
}

// Reads some at a time: after a long outage there may be many.
const batchSize = 1000
const endOfTime = new Date('9999-12-31')

async function* listFailed(db: Database): AsyncGenerator<Job[]> {
  let before = { failedAt: endOfTime, id: Number.MAX_SAFE_INTEGER }
  for (;;) {
    const failedJobs = await jobs.failed(db, { before, most: batchSize })
    if (failedJobs.length > 0) yield failedJobs
    const last = failedJobs.at(-1)
    if (failedJobs.length < batchSize || !last?.failedAt) return
    before = { failedAt: last.failedAt, id: last.id }
  }
}

/** Retries one failed job, or all; a running server picks them up within a second. */
export async function retryJobs(id: number | 'all'): Promise<number> {
  return withDatabase((db) => (id === 'all' ? retryAll(db) : retryOne(db, id)))
}

async function retryOne(db: Database, id: number): Promise<number> {
  const name = await jobs.retry(db, { id, at: db.now() })
  if (name === undefined) {
    console.error(`No job with ID ${id} has failed. \`${appName} jobs\` lists those that have.`)
    return 1
  }
  console.log(`Job ${id} (${escapeControls(name)}) runs again.`)
  return 0
}

async function retryAll(db: Database): Promise<number> {
  // In several statements: the server's own writes wait while one runs.
  const retriedAtOnce = 1000
  const batch = { most: retriedAtOnce, at: db.now() }
  let count = 0
  for (let retried = retriedAtOnce; retried === retriedAtOnce; count += retried)
    retried = await jobs.retrySome(db, batch)
  console.log(count === 0 ? noneFailed : `${counted(count, 'job runs', 'jobs run')} again.`)
  return 0
}

const noneFailed = 'No job has failed for good.'
