import type { Db, Tx } from './db.ts'

/** Work that is waiting, running or failed for good. */
export interface Job {
  readonly id: number
  readonly name: string
  /** JSON. */
  readonly payload: string
  /** Runs begun. */
  readonly tries: number
  /** The error of the last run that failed. */
  readonly error: string | null
  readonly failedAt: Date | null
  /** When it was pushed, or last retried by hand: a job with no time has been due since then. */
  readonly createdAt: Date
}

export interface JobOfUser extends Job {
  readonly inAll: number
}

export interface NewJob {
  readonly name: string
  /** JSON. */
  readonly payload: string
  readonly at: Date
  /** When it is due; at once unless given. */
  readonly due?: Date
}

/**
 * Which process runs a job, and in which of the job's runs. Once the claim is over, a write that names it changes
 * nothing, however late it comes, even if the same process has claimed the job again.
 */
export interface Claim {
  readonly id: number
  readonly by: string
  readonly tries: number
}

/**
 * When a job is due: it has no time, or one up to `now`, or one after `beyond`. No job waits that long: the clock was
 * set back.
 */
export interface Due {
  readonly now: Date
  readonly beyond: Date
}

export interface Jobs {
  /** Returns its ID. */
  insert(tx: Tx, job: NewJob): Promise<number>
  /** Deletes a job that is due later and has not begun to run. False when it has, or is gone. */
  cancel(tx: Tx, id: number): Promise<boolean>
  /**
   * Deletes the jobs of this name that name the user and are due between `after` and `until`, but none that began to
   * run.
   */
  cancelLater(
    tx: Tx,
    job: { name: string; userId: number; after: Date; until: Date },
  ): Promise<void>
  /** Inserts a job that is due at once, unless a job of this name is waiting or running. */
  insertIfNone(tx: Tx, job: NewJob): Promise<void>
  /** Which of these names have a job that is due and that nobody runs. */
  dueNames(db: Db, names: readonly string[], due: Due): Promise<string[]>
  /**
   * Claims a due job of this name and counts a run of it: new jobs come before those that failed. undefined when none
   * is due.
   */
  claim(db: Db, claim: { name: string; by: string } & Due): Promise<Job | undefined>
  finish(db: Db, claim: Claim): Promise<void>
  /** Ends a claim whose run failed: the job runs again at this time. */
  runAgain(db: Db, claim: Claim & { at: Date; error: string }): Promise<void>
  /** Ends a claim whose last run failed: the job failed for good. */
  fail(db: Db, claim: Claim & { at: Date; error: string }): Promise<void>
  /**
   * Ends a claim under which nothing runs: the job is due at once. The run stays counted. False when the claim was
   * over.
   */
  letGo(db: Db, claim: Claim): Promise<boolean>
  /** Every claim that there is, with the name of its job. */
  claims(db: Db): Promise<(Claim & { readonly name: string })[]>
  /** Gives up every claim of a process that stops; the runs it cut short are not counted. */
  giveUp(db: Db, by: string): Promise<void>
  /** Takes every claim from a process that died: the jobs are due at once, or failed for good after so many `runs`. */
  release(tx: Tx, dead: { by: string; runs: number; at: Date; error: string }): Promise<number>
  /** The names of the jobs that are waiting. */
  waitingNames(db: Db): Promise<string[]>
  /** The jobs that failed for good, the last one first. */
  failed(db: Db): Promise<Job[]>
  /**
   * The jobs that wait, run or have failed, and that name the user's ID, or name no user and mail to the email: oldest
   * first, each with how many there are `inAll`. A mail to the email may be another account's, which had that email
   * before.
   */
  ofUser(db: Db, user: { userId: number; emailKey: string; most: number }): Promise<JobOfUser[]>
  /** Deletes the jobs that name the user, those that run too: their runs end, and no other run follows. */
  deleteOfUser(tx: Tx, userId: number): Promise<void>
  /**
   * The same for jobs that name no user and mail to this email, such as those that a guest asked for. Their payload may
   * have the email's key, `emailKey`, in its place.
   */
  deleteOfEmail(tx: Tx, of: { email: string; emailKey: string }): Promise<void>
  /**
   * Makes a failed job as if it had been pushed `at` this time: due at once, with all its runs before it. Returns its
   * name, or undefined when there is no such job.
   */
  retry(db: Db, job: { id: number; at: Date }): Promise<string | undefined>
  /** The same for some of the failed jobs; returns how many. */
  retrySome(db: Db, some: { most: number; at: Date }): Promise<number>
  /** Deletes some of the jobs that failed before a time, and returns how many. */
  prune(db: Db, prune: { before: Date; most: number }): Promise<number>
}
