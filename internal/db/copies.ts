import type { DatabaseAddress } from '../base/settings/config.ts'
import type { RanMigration } from './migrate.ts'

/** What stands in a file of a database, as a look at all of it found. */
export interface Contents {
  /** Why the file cannot be trusted, in whole sentences; none when it is whole. */
  readonly faults: readonly string[]
  /** Those that ran on it, by name, with the hash of what ran. */
  readonly migrations: readonly RanMigration[]
  /** How many rows each table has. */
  readonly rows: Readonly<Record<string, number>>
  /** The keys of the photos that its accounts have. */
  readonly photos: readonly string[]
}

/** A database that no other process can open, until `end`. */
export interface Held {
  /** Where its file is, whatever links lead there. */
  readonly path: string
  /** Whether nothing was ever kept in it. */
  readonly isEmpty: boolean
  /** Has all of it stand in its one file, which may then have another name. It takes no write any more. */
  settle(): void
  end(): void
}

/** Whole databases, as files. */
export interface Copies {
  /** Copies what stands in the database at one moment into a new file, while others go on to read and write. */
  copy(database: DatabaseAddress, to: string): Promise<void>
  /** Reads all of a file that nobody else has open. */
  inspect(file: string): Contents
  /** Makes the file when there is none. undefined when another process has it open, whatever it does there. */
  hold(database: DatabaseAddress): Held | undefined
}
