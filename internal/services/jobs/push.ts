import { jobs } from '#db/jobs'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { JobName, JobPayloads } from './job-names.ts'

/** Stores a job in the transaction of a change; the workers are woken after the commit. */
export async function push<Name extends JobName>(
  app: App,
  tx: Tx,
  name: Name,
  payload: JobPayloads[Name],
): Promise<void> {
  await jobs.insert(tx, { name, payload: JSON.stringify(payload), at: app.now() })
  tx.afterCommit(() => app.jobSignal.send())
}

/** Stores a job that is due later, and returns its ID, by which it can be cancelled until it runs. */
export async function pushLater<Name extends JobName>(
  app: App,
  tx: Tx,
  { name, payload, due }: { name: Name; payload: JobPayloads[Name]; due: Date },
): Promise<number> {
  return jobs.insert(tx, { name, payload: JSON.stringify(payload), at: app.now(), due })
}
