import type { DatabaseAddress } from '../base/settings/config.ts'
import type { Migration } from './migrate.ts'

/** What a column holds, whatever its database calls it. JSON is text. */
export const columnTypes = ['integer', 'number', 'text', 'boolean', 'time', 'bytes'] as const
export type ColumnType = (typeof columnTypes)[number]

/**
 * A value as every database has it. A `bigint` is an integer that a number would not hold exactly. A time is a text in
 * ISO 8601 and UTC, with all the digits that are kept and three of a second at least: `2026-01-31T23:59:59.999Z`.
 */
export type Cell = number | bigint | string | boolean | Uint8Array | null

/** The values of a row, in the order of its table's columns. */
export type Cells = readonly Cell[]

/** A table, but for the one that says which migrations ran. Columns that the database fills by itself are left out. */
export interface Table {
  readonly name: string
  /** By name. */
  readonly columns: Readonly<Record<string, ColumnType>>
  /** The highest ID that the table has given, even if its row is gone; 0 when it gave none. */
  readonly lastId: number
}

/** A migration that ran. Its hash is no part of a snapshot: it differs from one kind of database to the other. */
export interface RanThen {
  readonly name: string
  readonly ranAt: Date
}

/** All that is kept in a database at one moment, while others go on to read and write. */
export interface Snapshot {
  readonly migrations: readonly RanThen[]
  /** A table that others refer to comes before them. */
  readonly tables: readonly Table[]
  /**
   * The rows of a table, some hundred at a time, in the order of the primary key or of insertion. Throws
   * `DatabaseDamaged`.
   */
  rows(table: Table): AsyncIterable<readonly Cells[]>
  /** The keys of the photos that accounts have. */
  photos(): Promise<readonly string[]>
  /** May be called again. */
  close(): Promise<void>
}

/** A database that nobody sees yet: it has no row but those that are put in. */
export interface Replacement {
  /** The tables that its migrations made. */
  readonly tables: readonly Table[]
  /**
   * Puts rows into the table of this name, whose columns may be in another order. New IDs begin after `lastId` and the
   * highest ID that is put in. Throws `DatabaseDamaged` for rows that the table cannot hold.
   */
  put(table: Table, rows: AsyncIterable<readonly Cells[]>): Promise<void>
  /** Says that all rows are in, checks all of it, and returns how many rows each table has. Throws `DatabaseDamaged`. */
  check(): Promise<Readonly<Record<string, number>>>
  /** The keys of the photos that accounts have. */
  photos(): Promise<readonly string[]>
  /**
   * What putting the replacement in place would undo; to be called last before `putInPlace`. undefined when nothing was
   * ever kept in the held database. Throws when its accounts cannot be read, since it is damaged or of another schema:
   * that is no reason not to go on.
   */
  undone(): Promise<Undone | undefined>
  /**
   * Puts the replacement in the place of the held database and on disk: whole or not at all, whatever happens
   * meanwhile. Returns the name under which the old database is kept; undefined when nothing was ever kept in it.
   */
  putInPlace(): Promise<string | undefined>
}

/** What a replacement does to the accounts of the held database. */
export interface Undone {
  /** The IDs of accounts that the held database has deleted, and that come back. */
  readonly back: readonly number[]
  /** How many accounts of the held database are not in the replacement. */
  readonly gone: number
  /** How many accounts get another password. */
  readonly passwords: number
}

/** The place of a database, which no other process can open until `end`. What stands there is as it was. */
export interface Held {
  /** Makes a database as these migrations make it, which are noted down as having run when they did. */
  build(migrations: readonly (Migration & RanThen)[]): Promise<Replacement>
  /** Also clears away what was built and is not in place. */
  end(): Promise<void>
}

export interface Snapshots {
  /** Checks the whole database first. Throws `DatabaseDamaged` when it is not sound, or is none of the app's. */
  take(database: DatabaseAddress): Promise<Snapshot>
  /**
   * Holds the place of a database, which may not be there yet. undefined when another process has the database open,
   * whatever it does there. `advise` is called with what to do when a transaction of another program, none of ours,
   * holds this up for long, and when a database that root put in place could not be given to the owner of the old one.
   */
  hold(
    database: DatabaseAddress,
    now: Date,
    advise?: (advice: string) => void,
  ): Promise<Held | undefined>
}

/** Rows that are not, or cannot be, what their tables say. */
export class DatabaseDamaged extends Error {
  override readonly name = 'DatabaseDamaged'
  /** In whole sentences. */
  readonly faults: readonly string[]

  constructor(faults: readonly string[], cause?: unknown) {
    super(faults.join(' '), { cause })
    this.faults = faults
  }
}
