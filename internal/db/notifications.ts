import type { Db } from './db.ts'

export interface Notifications {
  /** Deletes some of those read before a time, and returns how many. */
  prune(db: Db, prune: { before: Date; most: number }): Promise<number>
}
