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
  /** The highest ID it has given, though its row be gone; 0 when it gave none. */
  readonly lastId: number
}

/** A migration that ran, on whichever database: its hash is that of one dialect, and no part of a snapshot. */
export interface RanThen {
  readonly name: string
  readonly ranAt: Date
}

/** All that is kept in a database at one moment, while others go on to read and write. */
export interface Snapshot {
  readonly migrations: readonly RanThen[]
  /** Those that others refer to come before them. */
  readonly tables: readonly Table[]
  /** In parts of some hundred, in the order of the primary key or that of adding. Throws `DatabaseDamaged`. */
  rows(table: Table): AsyncIterable<readonly Cells[]>
  /** The keys of the photos that accounts have. */
  photos(): Promise<readonly string[]>
  /** Also when it is closed already. */
  close(): Promise<void>
}

/** A database that nobody sees yet: it has no row but those that are put in. */
export interface Replacement {
  /** Those that its migrations made. */
  readonly tables: readonly Table[]
  /**
   * Puts rows into a table of its own, whose columns may be named in another order. IDs go on after `lastId` and the
   * highest that is put in. Throws `DatabaseDamaged` for rows that cannot be.
   */
  put(table: Table, rows: AsyncIterable<readonly Cells[]>): Promise<void>
  /** Says that all rows are in, checks all of it, and returns how many rows each table has. Throws `DatabaseDamaged`. */
  check(): Promise<Readonly<Record<string, number>>>
  /** The keys of the photos that accounts have. */
  photos(): Promise<readonly string[]>
  /**
   * To be asked last, before it is put in place. undefined where nothing was ever kept in the held one; throws where it
   * has no accounts that could be read, as one that is damaged or of another schema: that holds nothing up.
   */
  undone(): Promise<Undone | undefined>
  /**
   * Puts it in the place of the held one, whole or not at all whatever happens meanwhile, and on disk. Returns under
   * which name the one that was there is kept; undefined when nothing was ever kept in it.
   */
  putInPlace(): Promise<string | undefined>
}

/** What becomes of the accounts of the held database. */
export interface Undone {
  /** The IDs of those that it has had, and has no more. */
  readonly back: readonly number[]
  /** How many it has that are gone then. */
  readonly gone: number
  /** How many get another password. */
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
   * There may be no database there yet. undefined when another process has it open, whatever it does there. `advise` is
   * told what to do where a transaction of another program, which no process of ours is, holds it up for long, and
   * where what root put in place could not be given to the owner of what was there.
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
