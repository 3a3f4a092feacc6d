import type { DatabaseAddress } from '../base/settings/config.ts'
import type { Db } from './db.ts'
import type { RanMigration } from './migrate.ts'

/** A database that is looked at as it is, whoever else works on it. Nothing in it is changed. */
export interface Look {
  /** As people know it. */
  readonly name: string
  readonly bytes: number
  /** The file that it is kept in; undefined on a server. */
  readonly file: DatabaseFile | undefined
  /** Of the program that reads it. */
  readonly version: string
  /** Which way of writing the file keeps; `wal` once a server had it. */
  readonly journalMode: string
  /** The settings of a connection that this program cannot set as it should. */
  readonly unkept: readonly { readonly name: string; readonly kept: unknown }[]
  /** To read from. */
  readonly db: Db
  /** Why the file cannot be trusted, in whole sentences. `quick` does not compare tables and indexes. */
  faults(quick: boolean): string[]
  ranMigrations(): RanMigration[]
  /** Whether somebody has an account; nobody has in a database that no migration ran on. */
  hasAccounts(): boolean
  close(): void
}

/** Who may read a database, and how much it has written beside it. */
export interface DatabaseFile {
  readonly mode: number
  /** Whose it is. */
  readonly uid: number
  readonly logBytes: number
}

/** Jobs as an operator asks of them. */
export interface JobCounts {
  readonly failed: number
  /** Of the one that failed last. */
  readonly lastFailed: string | null
  /** Those that have been due since before a time, and that nobody runs. */
  readonly overdue: number
}

export interface Health {
  look(database: DatabaseAddress): Look
  jobs(db: Db, dueBefore: Date): Promise<JobCounts>
  /** The latest time that something was noted down with; undefined in a database where nothing was. */
  lastWritten(db: Db): Promise<Date | undefined>
  /** How many accounts have a photo, and the keys of the newest accounts' ones. */
  photos(db: Db, most: number): Promise<{ count: number; keys: string[] }>
}
