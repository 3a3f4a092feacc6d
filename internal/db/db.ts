/**
 * A bound parameter. A Date is stored in UTC; `undefined` is refused, so that a forgotten value does not become NULL.
 */
export type Value = string | number | bigint | boolean | Date | Uint8Array | null

/**
 * Runs statements on a database. A statement is a template literal: `${value}` is bound, never interpolated. Rows have
 * camelCase names, times as Date and booleans as boolean, as the table declares its columns.
 *
 * The app's own `Db` reads without waiting for writers and runs each write in a transaction of its own. Inside a
 * transaction use only its `Tx`: any other `Db` throws there.
 */
export interface Db {
  /** Returns the first row, or undefined if there is none. */
  first<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row | undefined>
  all<Row>(sql: TemplateStringsArray, ...values: Value[]): Promise<Row[]>
  /** Returns how many rows the statement changed. */
  run(sql: TemplateStringsArray, ...values: Value[]): Promise<number>
}

declare const inTransaction: unique symbol

/** A `Db` inside a transaction. What must commit or roll back with other writes takes a `Tx`, never a `Db`. */
export interface Tx extends Db {
  readonly [inTransaction]: true
  /**
   * Runs `work` once the transaction is committed and durable; never after a rollback. If it throws, so does
   * `transaction`, although the change is committed.
   */
  afterCommit(work: () => void): void
}

/** How a database is opened. */
export interface DatabaseOptions {
  /** Milliseconds to wait for other processes when opening the database and for each write. */
  readonly wait?: number
  /** Called when a local disk failed to store a commit. Without it, the process ends with the error. */
  readonly fatal?: (error: unknown) => void
  /** Called when the lock that keeps a restore out is lost: until it is regained, every call throws `DatabaseBusy`. */
  readonly unguarded?: (error: unknown) => void
  /** Called when another program deleted open files of the database. Nothing is lost: new files were created. */
  readonly mended?: (error: unknown) => void
}

/** An open database. */
export interface Database extends Db {
  /**
   * The same database, for writes that only count or record something. Where the database supports it, they do not
   * wait for the disk: a power cut, and nothing else, may undo them.
   */
  readonly unsynced: Db
  /**
   * Runs `work` in a transaction: all of its writes are committed, or none if it throws. Resolves once they are
   * durable. Do nothing slow inside: other writers wait. Throws `DatabaseBusy`, as any write does, and `CommitInDoubt`
   * if it is unknown whether the writes were committed.
   *
   * Statements started together, as by `Promise.all`, run in the order in which they were started, with one round trip
   * to a remote database.
   *
   * Where transactions run concurrently, one of two that deadlock is rolled back and its `work` run again, a few
   * times; so is one that meets a table that has just gained a column. So `work` has no effects except through its
   * `tx`; everything else goes into `afterCommit`.
   *
   * Each statement sees the transaction's own writes and what others have committed by then (READ COMMITTED). Another
   * transaction may commit between two statements and invalidate what was read. So a write that depends on a read or a
   * count is one conditional statement with it, or first locks the row that both depend on (`users.hold`,
   * `sessions.hold`). A user's row is locked before any other row of that user, which prevents deadlocks. Where
   * transactions run one after the other, locking a row only reads it.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** The current time by a clock shared by all processes that have the database open, on any machine. */
  now(): Date
  /** Throws if the database does not answer. */
  ping(): Promise<void>
  /**
   * Removes deleted data from the files beside the database too, such as the write-ahead log. Returns false if some
   * may remain, since other connections were busy for half a second. Does nothing on a server, which manages its own
   * files.
   */
  emptyLog(): Promise<boolean>
  /**
   * Rewrites the whole database if it is at most 16 MiB, which takes a tenth of a second: a page of the file may hold
   * copies of rows that were moved within it and then deleted. Returns false if it is larger or another process was
   * busy. Does nothing on a server, like `emptyLog`.
   */
  writeAnew(): Promise<boolean>
  /** Waits for pending writes, then closes. Later writes throw. */
  close(): Promise<void>
}

/**
 * The database could not be used within the time we wait: another process holds its lock, or its server cannot be
 * reached.
 */
export class DatabaseBusy extends Error {
  override readonly name: string = 'DatabaseBusy'
}

/** The database was lost, or its disk failed, during a commit: the change may or may not be stored. */
export class CommitInDoubt extends DatabaseBusy {
  override readonly name = 'CommitInDoubt'

  constructor(cause: unknown) {
    super(
      'The database did not say whether it made the change: look whether it did before you try again.',
      { cause },
    )
  }
}
