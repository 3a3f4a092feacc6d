import type { Db, Tx } from './db.ts'

/** Work that is waiting, running or failed for good. */
export interface Job {
  readonly id: number
  readonly name: string
  /** JSON. */
  readonly payload: string
  /** How many runs have begun. */
  readonly tries: number
  /** The error of the last run that failed. */
  readonly error: string | null
  readonly failedAt: Date | null
  /** When it was pushed or last retried by hand; a job without a due time has been due since then. */
  readonly createdAt: Date
}

/** A job's position in the list of failed jobs. */
export interface Failed {
  readonly failedAt: Date
  readonly id: number
}

export interface JobOfUser extends Job {
  readonly inAll: number
}

export interface NewJob {
  readonly name: string
  /** JSON. */
  readonly payload: string
  readonly at: Date
  /** When it is due; at once if absent. */
  readonly due?: Date
}

/**
 * The process that runs a job, and which of the job's runs it is. Once the claim has ended, writes that name it have
 * no effect, even if the same process has claimed the job again.
 */
export interface Claim {
  readonly id: number
  readonly by: string
  readonly tries: number
}

/**
 * A job is due if it has no time, or one up to `now`, or one after `beyond`: no job waits that long, so the clock was
 * set back.
 */
export interface Due {
  readonly now: Date
  readonly beyond: Date
}

export interface Jobs {
  /** Returns the new job's ID. */
  insert(tx: Tx, job: NewJob): Promise<number>
  /** Deletes a job that is due later and has not started. Returns false if it has started or is gone. */
  cancel(tx: Tx, id: number): Promise<boolean>
  /** Deletes the jobs of this name and user that are due between `after` and `until` and have not started. */
  cancelLater(
    tx: Tx,
    job: { name: string; userId: number; after: Date; until: Date },
  ): Promise<void>
  /** Inserts a job that is due at once, unless a job of this name is waiting or running. */
  insertIfNone(tx: Tx, job: NewJob): Promise<void>
  /** Returns which of these names have a due job that nobody runs. */
  dueNames(db: Db, names: readonly string[], due: Due): Promise<string[]>
  /**
   * Claims a due job of this name and counts a run of it; new jobs come before failed ones. undefined if none is due.
   */
  claim(db: Db, claim: { name: string; by: string } & Due): Promise<Job | undefined>
  finish(db: Db, claim: Claim): Promise<void>
  /** Ends a claim whose run failed: the job runs again at `at`. */
  runAgain(db: Db, claim: Claim & { at: Date; error: string }): Promise<void>
  /** Ends a claim whose last allowed run failed: the job has failed for good. */
  fail(db: Db, claim: Claim & { at: Date; error: string }): Promise<void>
  /**
   * Ends a claim that no run is using: the job is due at once, and the run stays counted. Returns false if the claim
   * had ended.
   */
  releaseUnused(db: Db, claim: Claim): Promise<boolean>
  /** Returns every active claim, with the name of its job. */
  claims(db: Db): Promise<(Claim & { readonly name: string })[]>
  /** Releases every claim of a process that is stopping; the interrupted runs are not counted. */
  releaseOfStopping(db: Db, by: string): Promise<void>
  /** Releases every claim of a dead process: its jobs are due at once, or have failed for good after `runs` runs. */
  releaseOfDead(
    tx: Tx,
    dead: { by: string; runs: number; at: Date; error: string },
  ): Promise<number>
  /** Returns the names of the waiting jobs. */
  waitingNames(db: Db): Promise<string[]>
  /** Returns the jobs that failed for good, newest failure first: those after `before` in this order. */
  failed(db: Db, list: { before: Failed; most: number }): Promise<Job[]>
  /**
   * Returns the jobs, waiting, running or failed, that name the user's ID, or name no user and mail to the email:
   * oldest first, each with the total `inAll`. A mail to the email may belong to another account that used to have it.
   */
  ofUser(db: Db, user: { userId: number; emailKey: string; most: number }): Promise<JobOfUser[]>
  /** Deletes the user's jobs, running ones too: their current runs end, and there are no further ones. */
  deleteOfUser(tx: Tx, userId: number): Promise<void>
  /**
   * Does the same for jobs that name no user and mail to this email, such as a guest's. Their payload may hold the
   * email's key, `emailKey`, instead.
   */
  deleteOfEmail(tx: Tx, of: { email: string; emailKey: string }): Promise<void>
  /**
   * Makes a failed job due at once with all its runs ahead of it, as if pushed at `at`. Returns its name, or undefined
   * if there is no such job.
   */
  retry(db: Db, job: { id: number; at: Date }): Promise<string | undefined>
  /** Does the same for some of the failed jobs, and returns how many. */
  retrySome(db: Db, some: { most: number; at: Date }): Promise<number>
  /** Deletes some of the jobs that failed before a time, and returns how many. */
  prune(db: Db, prune: { before: Date; most: number }): Promise<number>
}
