import type { Db } from './db.ts'

export interface Sessions {
  /** Deletes some of those that have ended, and returns how many. */
  prune(db: Db, prune: { now: Date; most: number }): Promise<number>
}
