/** What a statement takes. A Date is kept in UTC; `undefined` is refused, so that a forgotten value is not a NULL. */
export type Value = string | number | bigint | boolean | Date | Uint8Array | null

/**
 * A database to ask. Statements are template literals; `${value}` is bound, never pasted in. Rows come back with
 * camelCase names, times as Date and booleans as boolean, as the table declares its columns.
 *
 * The app's own `Db` reads without waiting and gives each write a transaction of its own. Inside a transaction
 * only its `Tx` is asked: any other `Db` throws there.
 */
export interface Db {
  /** The first row, or undefined when there is none. */
  first<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row | undefined>
  all<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row[]>
  /** How many rows the statement changed. */
  run(sql: TemplateStringsArray, ...values: Value[]): Promise<number>
}

declare const inTransaction: unique symbol

/** A `Db` inside a transaction. What must stand or fall with other writes takes a `Tx`, never a `Db`. */
export interface Tx extends Db {
  readonly [inTransaction]: true
  /**
   * Runs once the transaction is committed and on disk; never when it is rolled back. What it throws, the caller
   * of `transaction` gets, though the change holds.
   */
  afterCommit(work: () => void): void
}

/** How a database is opened. */
export interface DatabaseOptions {
  /** Milliseconds that opening the database, and each write, wait for others. */
  readonly wait?: number
  /** Called when a disk of this machine failed to keep a commit. Without it, the process ends with the error. */
  readonly fatal?: (error: unknown) => void
  /** Called when a restore could not be kept out of the database: until it can, everything throws `DatabaseBusy`. */
  readonly unguarded?: (error: unknown) => void
  /** Called when somebody else took open files of the database away. Nothing is lost: it goes on with new files. */
  readonly mended?: (error: unknown) => void
}

/** An open database. */
export interface Database extends Db {
  /**
   * The same database, for writes that only count or note something. Where the database can, they do not wait for the
   * disk: a power cut may undo them, and nothing else does.
   */
  readonly unsynced: Db
  /**
   * Runs `work` in a transaction: all of its writes hold, or none when it throws. Resolves once they are on disk.
   * Nothing slow belongs inside: other writers wait. Throws `DatabaseBusy`, as any write does, and `CommitInDoubt`
   * where it is not known whether the writes hold.
   *
   * Statements that are started together, as by `Promise.all`, run in the order in which they were started, and a
   * database on another machine is waited for once.
   *
   * Where transactions run side by side, one of two that wait for each other is rolled back and its `work` run again, a
   * few times; so is one that meets a table to which a column was added. So `work` changes nothing except by its `tx`,
   * and every other effect goes into `afterCommit`.
   *
   * Each statement sees the transaction's own writes, and what others have committed by then (READ COMMITTED). Between
   * two statements another transaction may commit, and what was read is no longer true. So a write that depends on a
   * look or a count is one conditional statement with it, or the row that both depend on is held first (`users.hold`,
   * `sessions.hold`). A user's row is held before any other row of that user, so that no two transactions wait for each
   * other. Where transactions run one after the other, holding a row only reads it.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** The time by a clock that all who have the database open share, on whichever machine. */
  now(): Date
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  /**
   * Removes what was deleted from the files beside the database too, such as a log of its writes. False when it may
   * still be there, since others were at work for half a second. Does nothing on a server, whose files are its own.
   */
  emptyLog(): Promise<boolean>
  /**
   * Writes the whole database anew if it has 16 MiB at most, which takes a tenth of a second: a page of its file may
   * keep a copy of rows that were moved within it and then deleted. False when it is larger, or another process was at
   * work. Does nothing on a server, as `emptyLog`.
   */
  writeAnew(): Promise<boolean>
  /** Waits for the writes under way, then closes. A write that comes later throws. */
  close(): Promise<void>
}

/**
 * The database could not be used for as long as we wait: another process has it locked, or its server cannot be
 * reached.
 */
export class DatabaseBusy extends Error {
  override readonly name: string = 'DatabaseBusy'
}

/** The database was lost as it kept a change, or its disk failed: the change may hold, or not. */
export class CommitInDoubt extends DatabaseBusy {
  override readonly name = 'CommitInDoubt'

  constructor(cause: unknown) {
    super(
      'The database did not say whether it made the change: look whether it did before you try again.',
      { cause },
    )
  }
}
