import type { Db, Tx } from './db.ts'

/** An entry that is asked for. One that ends after `latest` counts as missing; one without an end never does. */
interface Entry {
  readonly key: string
  readonly now: Date
  readonly latest?: Date
}

export interface Cache {
  /** Keeps a value until `endsAt`, in place of one that the key has already. */
  put(db: Db, entry: { key: string; value: string; endsAt: Date }): Promise<void>
  /**
   * Keeps a value for ever, unless the key has a value from the text `from` to the text `to`, both included: then
   * returns false. One step: of all who try at once, one gets true.
   */
  replace(
    tx: Tx,
    entry: { key: string; value: string; unless: { from: string; to: string } },
  ): Promise<boolean>
  /** The value of an entry, which stays. undefined when there is none, it has ended, or it ends after `latest`. */
  get(db: Db, entry: Entry): Promise<string | undefined>
  /**
   * The value of an entry, which is deleted by the same step: of all who try at once one gets it. undefined as for
   * `get`.
   */
  take(db: Db, entry: Entry): Promise<string | undefined>
  /**
   * How many entries have not ended whose key begins with `start`, and whose value is a JSON object with this `userId`.
   */
  countOfUser(db: Db, entries: { start: string; userId: number; now: Date }): Promise<number>
  /** Deletes the entries that `countOfUser` looks for, ended ones too, and returns how many had not ended. */
  deleteOfUser(tx: Tx, entries: { start: string; userId: number; now: Date }): Promise<number>
  /** Deletes some of the entries that have ended, and returns how many. */
  prune(db: Db, prune: { now: Date; most: number }): Promise<number>
}
