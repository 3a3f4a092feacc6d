import { jobs } from '#db/jobs'
import { appName } from '../../../web/contract/name.ts'
import { escapeControls } from '../../../internal/base/text/escape.ts'
import type { Database } from '../../../internal/db/db.ts'
import type { Job } from '../../../internal/db/jobs.ts'
import { mailedTo } from '../../../internal/services/jobs/mailed-to.ts'
import { onDatabase } from './on-database.ts'
import { drawTable, shortened, shownTime } from '../table.ts'
import { counted } from '../../../internal/base/text/printed-sizes.ts'

/** Lists the jobs that failed for good, the last one first; also beside a running server. */
export async function listJobs({ json }: { json: boolean }): Promise<number> {
  const failed = await onDatabase((db) => jobs.failed(db))
  console.log(json ? asJson(failed) : asTable(failed))
  return 0
}

/** Has one failed job run again, or all; a running server takes them up within a second. */
export async function retryJobs(id: number | 'all'): Promise<number> {
  return onDatabase((db) => (id === 'all' ? retryAll(db) : retryOne(db, id)))
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
  const atOnce = 1000
  const batch = { most: atOnce, at: db.now() }
  let count = 0
  for (let retried = atOnce; retried === atOnce; count += retried)
    retried = await jobs.retrySome(db, batch)
  console.log(count === 0 ? noneFailed : `${counted(count, 'job runs', 'jobs run')} again.`)
  return 0
}

const noneFailed = 'No job has failed for good.'

function asJson(failed: readonly Job[]): string {
  const rows = failed.map(({ id, name, payload, tries, failedAt, error }) => {
    return { id, name, tries, failedAt, to: mailedTo(payload), error }
  })
  return escapeControls(JSON.stringify(rows))
}

/** One line a job; the error stands last, since it may be of any length. */
function asTable(failed: readonly Job[]): string {
  if (failed.length === 0) return noneFailed
  const rows = failed.map(({ id, name, payload, tries, failedAt, error }) => {
    const to = shortened(mailedTo(payload) ?? '', 60)
    return [String(id), name, String(tries), shownTime(failedAt), to, error ?? '']
  })
  return drawTable(['ID', 'NAME', 'TRIES', 'FAILED AT', 'TO', 'ERROR'], rows).join('\n')
}
