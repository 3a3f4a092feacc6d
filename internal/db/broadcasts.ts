import type { Db } from './db.ts'

export interface Broadcasts {
  /** Deletes some of those made before a time, and returns how many. */
  prune(db: Db, prune: { before: Date; most: number }): Promise<number>
}
