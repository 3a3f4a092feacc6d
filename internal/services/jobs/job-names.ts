import type { Language } from '../../../web/contract/languages.ts'
import type { App } from '../../app.ts'

/** Every kind of job, and what it needs to know (spec: Jobs and scheduled jobs). */
export interface JobPayloads {
  VerifyMail: { readonly userId: number; readonly email: string }
  /** `email` is the key that it is looked up by. */
  ResetMail: { readonly email: string }
  /**
   * `email` is the key that it is looked up by, and `written` where the mail goes. An earlier version had only `email`,
   * as it was written, and named no language.
   */
  'registration-mail': {
    readonly name: string
    readonly email: string
    readonly written?: string
    readonly language?: Language
  }
  /**
   * `to` has a name when the address was verified. `data` is JSON; `at` is ISO 8601. An earlier version named no user
   * and no language.
   */
  'notification-mail': {
    readonly userId?: number
    readonly to: { readonly address: string; readonly name?: string }
    readonly kind: string
    readonly data: string
    readonly at: string
    readonly language?: Language
  }
  'delete-file': { readonly key: string }
  'prune-jobs': Nothing
  'prune-logins': Nothing
  'prune-throttles': Nothing
  'prune-sessions': Nothing
  'prune-cache': Nothing
  'prune-broadcasts': Nothing
  'prune-notifications': Nothing
}

type Nothing = Readonly<Record<string, never>>

export type JobName = keyof JobPayloads

/** A kind of job that needs to know nothing, so that the clock can push it. */
export type ScheduledName = {
  [Name in JobName]: JobPayloads[Name] extends Nothing ? Name : never
}[JobName]

/** What a kind of job waits for: a server that hangs holds up only the jobs that wait for it too. */
export type Resource = 'mail' | 'files' | 'database'

/**
 * What is done for each kind of job. It may be done twice, when the process ends before its end is written down. A run
 * that takes too long, or is cut as the service stops, sees `signal` aborted: from then on it must do nothing more,
 * since the next run may have begun.
 */
export type Work = {
  readonly [Name in JobName]: {
    readonly resource: Resource
    run(this: void, app: App, payload: JobPayloads[Name], signal: AbortSignal): Promise<void>
  }
}
