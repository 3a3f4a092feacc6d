/** What a statement takes. A Date is kept in UTC; `undefined` is refused, so that a forgotten value is not a NULL. */
export type Value = string | number | bigint | boolean | Date | Uint8Array | null

/**
 * A database to ask. Statements are template literals; `${value}` is bound, never pasted in. Rows come back with
 * camelCase names, times as Date and booleans as boolean, as the table declares its columns.
 *
 * The app's own `Db` reads without waiting and gives each write a transaction of its own. Inside a transaction
 * only its `Tx` writes: through any other `Db` a write throws there.
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

/** An open database. */
export interface Database extends Db {
  /**
   * Runs `work` in a transaction: all of its writes hold, or none when it throws. Resolves once they are on disk.
   * Nothing slow belongs inside: other writers wait. Throws `DatabaseBusy`, as any write does.
   *
   * Each of its statements sees what it wrote itself, and of others what they have committed by then (READ COMMITTED).
   * So between two of them another may commit, and what was read is over: whoever looks or counts and then writes says
   * it in one conditional statement, or holds the row that it hangs on first (`users.hold`, `sessions.hold`). A user's
   * row is held before anything that is theirs, so that no two wait for each other. Where transactions run one after
   * the other, as on SQLite, to hold is to read.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  /**
   * Has what was deleted stand nowhere beside the database either, as in a log of its writes. False when it may stand
   * there still: another process was at work.
   */
  emptyLog(): Promise<boolean>
  /**
   * Writes a database of up to 16 MiB anew, in a tenth of a second: a page may keep a copy of what was moved within it
   * and then deleted. False when it is larger, or another process was at work.
   */
  writeAnew(): Promise<boolean>
  /** Waits for the writes under way, then closes. A write that comes later throws. */
  close(): Promise<void>
}

/** The database is locked by another process, and stayed so for as long as we wait. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy'
}
