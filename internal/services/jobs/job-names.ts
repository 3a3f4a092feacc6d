import type { App } from '../../app.ts'

/** Every kind of job, with its payload (spec: Jobs and scheduled jobs). */
export interface JobPayloads {
  VerifyMail: { readonly userId: number; readonly email: string }
  /** `email` is the lookup key. */
  ResetMail: { readonly email: string }
  /**
   * `email` is the lookup key, and `written` the address. An earlier version had only `email`, as it was
   * written, and no language. A later one may have another language.
   */
  'registration-mail': {
    readonly name: string
    readonly email: string
    readonly written?: string
    readonly language?: string
  }
  /**
   * `to` has a name if the address was verified. `data` is JSON; `at` is ISO 8601. An earlier version had no
   * user and no language. A later one may have another language or kind.
   */
  'notification-mail': {
    readonly userId?: number
    readonly to: { readonly address: string; readonly name?: string }
    readonly kind: string
    readonly data: string
    readonly at: string
    readonly language?: string
  }
  'delete-file': { readonly key: string }
  'prune-jobs': NoPayload
  'prune-logins': NoPayload
  'prune-throttles': NoPayload
  'prune-sessions': NoPayload
  'prune-cache': NoPayload
  'prune-broadcasts': NoPayload
  'prune-notifications': NoPayload
}

type NoPayload = Readonly<Record<string, never>>

export type JobName = keyof JobPayloads

/** A kind of job without payload, so that the schedule can push it. */
export type ScheduledName = {
  [Name in JobName]: JobPayloads[Name] extends NoPayload ? Name : never
}[JobName]

/** The resource that a kind of job depends on: a hanging server holds up only jobs that depend on it, too. */
export type Resource = 'mail' | 'files' | 'database'

/**
 * The work for each kind of job. It may run twice, if the process dies before the end is recorded. If a run
 * takes too long, or is cut off as the service stops, `signal` aborts: from then on it must do nothing more,
 * since the next run may have begun.
 */
export type Work = {
  readonly [Name in JobName]: {
    readonly resource: Resource
    run(this: void, app: App, payload: JobPayloads[Name], signal: AbortSignal): Promise<void>
  }
}
