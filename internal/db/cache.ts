import type { Db, Tx } from './db.ts'

/** An entry that is asked for. One that is kept for ever is there whatever the `latest` end. */
interface Entry {
  readonly key: string
  readonly now: Date
  readonly latest?: Date
}

export interface Cache {
  /** Keeps a value until then, in place of one that is there. */
  put(db: Db, entry: { key: string; value: string; endsAt: Date }): Promise<void>
  /**
   * Keeps a value for ever, unless what is kept is from one text to another, both included. False when it was.
   * One step: of all who try at once it is true for one.
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
   * How many entries whose key starts so, and whose value is a JSON object with this `userId`, have not ended.
   */
  countOfUser(db: Db, entries: { start: string; userId: number; now: Date }): Promise<number>
  /** Deletes them, those that have ended too, and returns how many had not. */
  deleteOfUser(tx: Tx, entries: { start: string; userId: number; now: Date }): Promise<number>
  /** Deletes some of the entries that have ended, and returns how many. */
  prune(db: Db, prune: { now: Date; most: number }): Promise<number>
}
