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

/** How a database is opened. */
export interface DatabaseOptions {
  /** Milliseconds that an opening and a write wait for others. */
  readonly wait?: number
  /** Told of a disk of this machine that failed to keep a commit. Unless given, the process ends with the error. */
  readonly fatal?: (error: unknown) => void
  /** Told that until further notice everything throws `DatabaseBusy`, as a restore could not be kept out. */
  readonly unguarded?: (error: unknown) => void
  /** Told that somebody else took files away that were open. All that they held is kept, and it goes on with new ones. */
  readonly mended?: (error: unknown) => void
}

/** An open database. */
export interface Database extends Db {
  /**
   * The same for what only counts or notes something: where the database can, a write by it is not waited for on disk. A
   * power cut may undo it, and nothing else does.
   */
  readonly unsynced: Db
  /**
   * Runs `work` in a transaction: all of its writes hold, or none when it throws. Resolves once they are on disk.
   * Nothing slow belongs inside: other writers wait. Throws `DatabaseBusy`, as any write does, and where it is not
   * known whether its writes hold, `CommitInDoubt`.
   *
   * Statements that are asked for at once are run in the order they were asked for; a server is waited for once.
   *
   * Where transactions run side by side, one that waits for another which waits for it is rolled back and its `work`
   * run again, a few times; so is one that meets a table to which a column was added. So `work` changes nothing but by
   * its tx, and what goes out goes in `afterCommit`.
   *
   * Each of its statements sees what it wrote itself, and of others what they have committed by then (READ COMMITTED).
   * So between two of them another may commit, and what was read is over: whoever looks or counts and then writes says
   * it in one conditional statement, or holds the row that it hangs on first (`users.hold`, `sessions.hold`). A user's
   * row is held before anything that is theirs, so that no two wait for each other. Where transactions run one after
   * the other, to hold is to read.
   */
  transaction<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>
  /** The time by a clock that all who have the database open share, on whichever machine. */
  now(): Date
  /** Throws when the database does not answer. */
  ping(): Promise<void>
  /**
   * Has what was deleted stand nowhere beside the database either, as in a log of its writes. False when it may stand
   * there still: others were at work for half a second. Of a server the files are its own: nothing is done there.
   */
  emptyLog(): Promise<boolean>
  /**
   * Writes a database of up to 16 MiB anew, in a tenth of a second: a page may keep a copy of what was moved within it
   * and then deleted. False when it is larger, or another process was at work. Of a server as for `emptyLog`.
   */
  writeAnew(): Promise<boolean>
  /** Waits for the writes under way, then closes. A write that comes later throws. */
  close(): Promise<void>
}

/**
 * The database takes nothing now, and did not for as long as we wait: another process has it locked, or the server cannot
 * be reached.
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
