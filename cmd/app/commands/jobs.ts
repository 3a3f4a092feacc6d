import { jobs } from '#db/jobs'
import { appName } from '../../../web/contract/name.ts'
import { escapeControls } from '../../../internal/base/text/escape.ts'
import type { Database } from '../../../internal/db/db.ts'
import type { Job } from '../../../internal/db/jobs.ts'
import { mailedTo } from '../../../internal/services/jobs/mailed-to.ts'
import { withDatabase } from './with-database.ts'
import { drawTable, shorten, formatTime } from '../table.ts'
import { counted } from '../../../internal/base/text/printed-sizes.ts'

/** Lists the jobs that failed for good, newest failure first; works beside a running server. */
export async function listJobs({ json }: { json: boolean }): Promise<number> {
  const list = json ? jsonList() : tableList()
  await withDatabase(async (db) => {
    for await (const failedJobs of listFailed(db)) {
      list.add(failedJobs)
      await flushOutput()
      if (process.stdout.destroyed) return
    }
  })
  list.end()
  return 0
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

/** Resolves once everything printed so far is written, or standard output has failed. */
function flushOutput(): Promise<void> {
  return new Promise((resolve) => process.stdout.write('', () => resolve()))
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

/** Prints an array with one line per job. */
function jsonList() {
  let hasBegun = false
  return {
    add(failedJobs: readonly Job[]) {
      const lines = failedJobs.map(({ id, name, payload, tries, failedAt, error }) => {
        const job = { id, name, tries, failedAt, to: mailedTo(payload), error }
        return escapeControls(JSON.stringify(job))
      })
      console.log(`${hasBegun ? ',' : '['}${lines.join('\n,')}`)
      hasBegun = true
    },
    end: () => console.log(hasBegun ? ']' : '[]'),
  }
}

const head = ['ID', 'NAME', 'TRIES', 'FAILED AT', 'TO', 'ERROR']

/** Prints one line per job; the error comes last, since it may be of any length. */
function tableList() {
  const widths: number[] = []
  let hasBegun = false
  return {
    add(failedJobs: readonly Job[]) {
      const rows = failedJobs.map(({ id, name, payload, tries, failedAt, error }) => {
        const to = shorten(mailedTo(payload) ?? '', 60)
        return [String(id), name, String(tries), formatTime(failedAt), to, error ?? '']
      })
      const lines = drawTable(head, rows, widths)
      console.log(lines.slice(hasBegun ? 1 : 0).join('\n'))
      hasBegun = true
    },
    end: () => (hasBegun ? undefined : console.log(noneFailed)),
  }
}
