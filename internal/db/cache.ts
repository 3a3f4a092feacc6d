import type { Db, Tx } from './db.ts'

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
  /** Deletes some of the entries that have ended, and returns how many. */
  prune(db: Db, prune: { now: Date; most: number }): Promise<number>
}
