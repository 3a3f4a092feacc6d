import type { Finding } from '../base/finding.ts'
import type { DatabaseAddress } from '../base/settings/config.ts'
import type { Db } from './db.ts'
import type { RanMigration } from './migrate.ts'

/** A database opened for inspection only, whoever else uses it. */
export interface Inspection {
  /** For reading. */
  readonly db: Db
  /**
   * Reports how the database is stored, by which version of its program, and who may read it: what depends on the
   * database.
   */
  findings(): Promise<Finding[]>
  /** Checks the integrity of all data. */
  integrity(): Promise<Finding[]>
  close(): Promise<void>
}

/** A database to inspect, or why there is none, and what to do. */
export type InspectionOutcome =
  | { readonly result: 'open'; readonly inspection: Inspection }
  | { readonly result: 'none'; readonly finding: Finding }
  /** The database may exist, but this user cannot read it, or it does not answer. */
  | { readonly result: 'closed'; readonly finding: Finding }
  /** The database belongs to another program. */
  | { readonly result: 'foreign'; readonly finding: Finding }

export interface FailedJobs {
  readonly count: number
  /** The name of the job that failed most recently. */
  readonly name: string
}

export interface RetriedJobs {
  readonly count: number
  /** The highest number of failed runs among these jobs. */
  readonly mostTries: number
  /** The name and the error of the newest of these jobs. */
  readonly name: string
  readonly error: string
}

/** The state of the job queue, for an operator. */
export interface JobHealth {
  /** The jobs that failed for good; undefined if there are none. */
  readonly failed: FailedJobs | undefined
  /** How many jobs have been due since before a given time without any process running them. */
  readonly overdue: number
  /** The jobs whose last run failed and that will be retried; undefined if there are none. */
  readonly retried: RetriedJobs | undefined
}

export interface Health {
  inspect(database: DatabaseAddress): Promise<InspectionOutcome>
  /** The migrations that ran, by name; empty if none did. */
  ranMigrations(db: Db): Promise<RanMigration[]>
  /** Whether any account exists; false if no migration ran. */
  hasAccounts(db: Db): Promise<boolean>
  jobs(db: Db, dueBefore: Date): Promise<JobHealth>
  /** The latest time stored in the database; undefined if it has none. */
  lastWritten(db: Db): Promise<Date | undefined>
  /** How many accounts have a photo, and the file keys of the newest accounts' photos. */
  photos(db: Db, most: number): Promise<{ count: number; keys: string[] }>
}
