import { lifetimes } from '../base/lifetimes.ts'
import { broadcasts } from '#db/broadcasts'
import { browsers } from '#db/browsers'
import { cache } from '#db/cache'
import { jobs } from '#db/jobs'
import { logins } from '#db/logins'
import { notifications } from '#db/notifications'
import { sessions } from '#db/sessions'
import { throttles } from '#db/throttles'
import { sendRegistration } from './accounts/register-passkey.ts'
import { sendReset } from './accounts/reset-password.ts'
import { sendVerification } from './accounts/verify.ts'
import { mailNotice } from './notifications/mail.ts'
import { deleteFile } from './photos/delete-file.ts'
import type { App } from '../app.ts'
import { inBatches } from '../services/jobs/batches.ts'
import { push } from '../services/jobs/push.ts'
import type { ScheduledName, Work } from '../services/jobs/job-names.ts'
import type { Scheduled } from '../services/jobs/schedule.ts'

/** The handler and the resource of each kind of job (spec: Jobs and scheduled jobs). */
// oxfmt-ignore
export const work: Work = {
  VerifyMail:            { resource: 'mail', run: sendVerification },
  ResetMail:             { resource: 'mail', run: sendReset },
  'registration-mail':   { resource: 'mail', run: sendRegistration },
  'notification-mail':   { resource: 'mail', run: mailNotice },
  'delete-file':         { resource: 'files', run: deleteFile },
  ...pruning('prune-jobs',
    [(app, most) => jobs.prune(app.db, { before: ago(app, 'failedJob'), most })],
    (app) => app.db.writeAnew(),
  ),
  ...pruning('prune-logins',
    [
      (app, most) => logins.prune(app.db, { now: app.now(), most }),
      (app, most) => browsers.prune(app.db, { before: ago(app, 'browser'), most }),
    ],
    (app) => app.db.emptyLog(),
  ),
  ...pruning('prune-throttles',     [(app, most) => throttles.prune(app.db, { now: app.now(), most })]),
  ...pruning('prune-sessions',      [(app, most) => sessions.prune(app.db, { now: app.now(), most })]),
  ...pruning('prune-cache',         [(app, most) => cache.prune(app.db, { now: app.now(), most })]),
  ...pruning('prune-broadcasts',    [(app, most) => broadcasts.prune(app.db, { before: ago(app, 'event'), most })]),
  ...pruning('prune-notifications', [(app, most) => notifications.prune(app.db, { before: ago(app, 'notification'), most })]),
}

/** The jobs that the service pushes on a schedule. */
// oxfmt-ignore
export const schedule: readonly Scheduled[] = [
  { name: 'prune-jobs',          every: 'night' },
  { name: 'prune-logins',        every: 'hour' },
  { name: 'prune-throttles',     every: 'hour' },
  { name: 'prune-sessions',      every: 'hour' },
  { name: 'prune-cache',         every: 'hour' },
  { name: 'prune-broadcasts',    every: 'minute' },
  { name: 'prune-notifications', every: 'night' },
]

/**
 * Returns the work of a job that runs `steps`, each of which deletes at most `most` rows and returns how
 * many, and then `once`. If rows are left after its minute, it pushes the job again: rows arriving faster
 * than scheduled runs delete them would otherwise pile up.
 */
function pruning<Name extends ScheduledName>(
  name: Name,
  steps: readonly ((app: App, most: number) => Promise<number>)[],
  once?: (app: App) => Promise<unknown>,
): Pick<Work, Name> {
  const run = async (app: App, _: unknown, signal: AbortSignal) => {
    const isDone = await inBatches(
      steps.map((step) => (most) => step(app, most)),
      signal,
    )
    signal.throwIfAborted()
    await once?.(app)
    signal.throwIfAborted()
    if (!isDone) await app.db.transaction((tx) => push<ScheduledName>(app, tx, name, {}))
  }
  return { [name]: { resource: 'database', run } } as Pick<Work, Name>
}

function ago(app: App, lifetime: keyof typeof lifetimes): Date {
  return new Date(app.now().getTime() - lifetimes[lifetime])
}
