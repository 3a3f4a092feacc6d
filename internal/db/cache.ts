import type { Db, Tx } from './db.ts'

/** Which entry to read. One that ends after `latest` counts as missing; one without an end never does. */
interface Entry {
  readonly key: string
  readonly now: Date
  readonly latest?: Date
}

export interface Cache {
  /** Stores a value until `endsAt`, replacing any value of the key. */
  put(db: Db, entry: { key: string; value: string; endsAt: Date }): Promise<void>
  /**
   * Stores a value without an end, unless the key has a value between the texts `from` and `to`, inclusive: then
   * returns false. Atomic: of several concurrent calls, one gets true.
   */
  replace(
    tx: Tx,
    entry: { key: string; value: string; unless: { from: string; to: string } },
  ): Promise<boolean>
  /** Reads an entry's value. undefined if there is none, it has ended, or it ends after `latest`. */
  get(db: Db, entry: Entry): Promise<string | undefined>
  /**
   * Reads and deletes an entry in one atomic step: of several concurrent calls, one gets the value. undefined as for
   * `get`.
   */
  take(db: Db, entry: Entry): Promise<string | undefined>
  /**
   * Counts the entries that have not ended, whose key begins with `start` and whose value is a JSON object with this
   * `userId`.
   */
  countOfUser(db: Db, entries: { start: string; userId: number; now: Date }): Promise<number>
  /** Deletes the entries that `countOfUser` matches, ended ones included, and returns how many had not ended. */
  deleteOfUser(tx: Tx, entries: { start: string; userId: number; now: Date }): Promise<number>
  /** Deletes some of the entries that have ended, and returns how many. */
  prune(db: Db, prune: { now: Date; most: number }): Promise<number>
}
