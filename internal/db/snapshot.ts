import type { DatabaseAddress } from '../base/settings/config.ts'
import type { Migration } from './migrate.ts'

/** The type of a column, independent of the database. JSON is text. */
export const columnTypes = ['integer', 'number', 'text', 'boolean', 'time', 'bytes'] as const
export type ColumnType = (typeof columnTypes)[number]

/**
 * A database-independent value. A `bigint` is an integer that a number cannot represent exactly. A time is ISO 8601
 * text in UTC with all stored digits, at least three for the fraction of a second: `2026-01-31T23:59:59.999Z`.
 */
export type Cell = number | bigint | string | boolean | Uint8Array | null

/** A row's values, in the order of its table's columns. */
export type Cells = readonly Cell[]

/** Any table except the record of migrations. Columns that the database generates are left out. */
export interface Table {
  readonly name: string
  /** By name. */
  readonly columns: Readonly<Record<string, ColumnType>>
  /** The highest ID the table has ever assigned, even if its row is gone; 0 if none. */
  readonly lastId: number
}

/** A migration that ran. A snapshot has no hash of it, since that differs between kinds of databases. */
export interface RanThen {
  readonly name: string
  readonly ranAt: Date
}

/** The whole content of a database at one moment; others may go on reading and writing. */
export interface Snapshot {
  readonly migrations: readonly RanThen[]
  /** Referenced tables come before those that refer to them. */
  readonly tables: readonly Table[]
  /**
   * Returns a table's rows in batches of some hundred, in order of the primary key or of insertion. Throws
   * `DatabaseDamaged`.
   */
  rows(table: Table): AsyncIterable<readonly Cells[]>
  /** Returns the file keys of all accounts' photos. */
  photos(): Promise<readonly string[]>
  /** May be called more than once. */
  close(): Promise<void>
}

/** A new database that nobody uses yet: its only rows are those put in. */
export interface Replacement {
  /** The tables created by its migrations. */
  readonly tables: readonly Table[]
  /**
   * Inserts rows into the table of this name, whose columns may be in another order. New IDs will start after `lastId`
   * and the highest inserted ID. Throws `DatabaseDamaged` for rows that the table cannot hold.
   */
  put(table: Table, rows: AsyncIterable<readonly Cells[]>): Promise<void>
  /** Called after the last `put`: checks everything and returns each table's row count. Throws `DatabaseDamaged`. */
  check(): Promise<Readonly<Record<string, number>>>
  /** Returns the file keys of all accounts' photos. */
  photos(): Promise<readonly string[]>
  /**
   * What `putInPlace` would undo; called right before it. undefined if the held database never contained anything.
   * Throws if its accounts cannot be read, because it is damaged or has another schema; the restore may go on
   * nevertheless.
   */
  undone(): Promise<Undone | undefined>
  /**
   * Atomically and durably replaces the held database. Returns the name under which the old one is kept; undefined if
   * it never contained anything.
   */
  putInPlace(): Promise<string | undefined>
}

/** What a replacement changes about the accounts of the held database. */
export interface Undone {
  /** The IDs of accounts that were deleted from the held database and come back. */
  readonly restored: readonly number[]
  /** How many accounts of the held database are not in the replacement. */
  readonly lost: number
  /** How many accounts get a different password. */
  readonly passwords: number
}

/** An exclusive hold on a database's location: no other process can open it until `end`. Its content is unchanged. */
export interface LockedDatabase {
  /** Creates a database with these migrations, and records them as having run when they did. */
  build(migrations: readonly (Migration & RanThen)[]): Promise<Replacement>
  /** Also removes what was built but not put in place. */
  end(): Promise<void>
}

export interface Snapshots {
  /** Checks the whole database first. Throws `DatabaseDamaged` if it is not sound or not the app's. */
  take(database: DatabaseAddress): Promise<Snapshot>
  /**
   * Holds a database's location, whether or not the database exists. undefined if another process has it open.
   * `advise` is called with what to do if another program's transaction delays this for long, or if a database put in
   * place by root could not be given to the owner of the old one.
   */
  hold(
    database: DatabaseAddress,
    now: Date,
    advise?: (advice: string) => void,
  ): Promise<LockedDatabase | undefined>
}

/** Rows that violate their table's schema. */
export class DatabaseDamaged extends Error {
  override readonly name = 'DatabaseDamaged'
  /** Whole sentences. */
  readonly faults: readonly string[]

  constructor(faults: readonly string[], cause?: unknown) {
    super(faults.join(' '), { cause })
    this.faults = faults
  }
}
