import type { Finding } from '../base/finding.ts'
import type { DatabaseAddress } from '../base/settings/config.ts'
import type { Db } from './db.ts'
import type { RanMigration } from './migrate.ts'

/** A database that is looked at as it is, whoever else works on it. Nothing in it is changed. */
export interface Look {
  /** To read from. */
  readonly db: Db
  /** How the database is kept, by which program, and who may read it: what only a database of its kind can say. */
  findings(): Promise<Finding[]>
  /** Checks that all the data is whole. */
  integrity(): Promise<Finding[]>
  close(): Promise<void>
}

/** A database, or why there is none to look at, and what to do. */
export type Looked =
  | { readonly result: 'open'; readonly look: Look }
  | { readonly result: 'none'; readonly finding: Finding }
  /** The database may be there, but this user cannot read it, or it does not answer. */
  | { readonly result: 'closed'; readonly finding: Finding }
  /** It is another program's. */
  | { readonly result: 'foreign'; readonly finding: Finding }

export interface FailedJobs {
  readonly count: number
  /** The name of the job that failed last. */
  readonly name: string
}

export interface RetriedJobs {
  readonly count: number
  /** The failed runs of the job that has most of them. */
  readonly mostTries: number
  /** Name and error are those of the newest of these jobs. */
  readonly name: string
  readonly error: string
}

/** What an operator wants to know of the jobs. */
export interface JobHealth {
  /** The jobs that failed for good; undefined when there are none. */
  readonly failed: FailedJobs | undefined
  /** How many jobs have been due since before a time, and no process runs them. */
  readonly overdue: number
  /** The jobs whose last run failed, and that wait for another one; undefined when there are none. */
  readonly retried: RetriedJobs | undefined
}

export interface Health {
  look(database: DatabaseAddress): Promise<Looked>
  /** The migrations that ran, by name; none in a database that no migration ran on. */
  ranMigrations(db: Db): Promise<RanMigration[]>
  /** Whether somebody has an account; nobody has in a database that no migration ran on. */
  hasAccounts(db: Db): Promise<boolean>
  jobs(db: Db, dueBefore: Date): Promise<JobHealth>
  /** The latest time that something was noted down with; undefined in a database where nothing was. */
  lastWritten(db: Db): Promise<Date | undefined>
  /** How many accounts have a photo, and the keys of the newest accounts' ones. */
  photos(db: Db, most: number): Promise<{ count: number; keys: string[] }>
}
