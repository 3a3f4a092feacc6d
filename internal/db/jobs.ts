import type { Db, Tx } from './db.ts'

/** Work that is waiting, running or failed for good. */
export interface Job {
  readonly id: number
  readonly name: string
  /** JSON. */
  readonly payload: string
  /** Runs begun. */
  readonly tries: number
  /** Of the last run that failed. */
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
 * A job that a process runs, the process, and which of its runs. Once that claim is over nothing that is written under it
 * changes the job, however late it comes, and though the same process has claimed it again.
 */
export interface Claim {
  readonly id: number
  readonly by: string
  readonly tries: number
}

/** What is due now. A job with no time is; so is one of a time `beyond` all waits, since the clock was set back. */
export interface Due {
  readonly now: Date
  readonly beyond: Date
}

export interface Jobs {
  /** Returns its ID. */
  insert(tx: Tx, job: NewJob): Promise<number>
  /** Deletes a job that is due later and has not begun to run. False when it has, or is gone. */
  cancel(tx: Tx, id: number): Promise<boolean>
  /** Deletes the jobs of a name whose payload names the user and that are due within this time, none that began to run. */
  cancelLater(
    tx: Tx,
    job: { name: string; userId: number; after: Date; until: Date },
  ): Promise<void>
  /** It is due at once, unless a job of this name is waiting or running. */
  insertIfNone(tx: Tx, job: NewJob): Promise<void>
  /** Which of these names have a job that is due and that nobody runs. */
  dueNames(db: Db, names: readonly string[], due: Due): Promise<string[]>
  /** Counts a run and takes the job: a new one before one that failed. undefined when none is due. */
  claim(db: Db, claim: { name: string; by: string } & Due): Promise<Job | undefined>
  finish(db: Db, claim: Claim): Promise<void>
  /** It runs again at this time. */
  runAgain(db: Db, claim: Claim & { at: Date; error: string }): Promise<void>
  /** It failed for good. */
  fail(db: Db, claim: Claim & { at: Date; error: string }): Promise<void>
  /** Ends a claim under which nothing runs: the job is due at once. The run stays counted. False when it was over. */
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
   * Those that wait, run or have failed and whose payload names the user's ID, or nobody's and mails to the email, oldest
   * first, and with each how many there are `inAll`. A mail to the email may be another's, who had it before.
   */
  ofUser(db: Db, user: { userId: number; email: string; most: number }): Promise<JobOfUser[]>
  /** Deletes those that name the user, those that run too: their runs end, and no other follows. */
  deleteOfUser(tx: Tx, userId: number): Promise<void>
  /**
   * The same for those that name no user and go to this email, as those that a guest asked for. `emailKey`: that of the
   * email, which may stand in its place.
   */
  deleteOfEmail(tx: Tx, of: { email: string; emailKey: string }): Promise<void>
  /**
   * A failed job is as if pushed `at` this time: due at once, with all its runs before it. Its name, or undefined when
   * there is no such job.
   */
  retry(db: Db, job: { id: number; at: Date }): Promise<string | undefined>
  /** The same for some of the failed jobs, and how many. */
  retrySome(db: Db, some: { most: number; at: Date }): Promise<number>
  /** Deletes some of those that failed before a time, and returns how many. */
  prune(db: Db, prune: { before: Date; most: number }): Promise<number>
}
