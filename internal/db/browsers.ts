import type { Db, Tx } from './db.ts'

export interface Browsers {
  /**
   * Records that the user logged in from the browser with this `hash` (SHA-256 of its ID). Returns whether it was
   * known already.
   */
  recordLogin(tx: Tx, login: { userId: number; hash: Uint8Array; at: Date }): Promise<boolean>
  /** Deletes the user's browsers that have had no login since `before`. */
  forget(tx: Tx, forget: { userId: number; before: Date }): Promise<void>
  /**
   * Keeps the user's `most` browsers with the latest logins, and deletes some of the rest. Logins later than `now`,
   * from a time when the clock was ahead, do not count, and their browsers stay.
   */
  keepNewest(db: Db, user: { userId: number; now: Date; most: number }): Promise<void>
  /** Deletes some browsers, of any user, that have had no login since `before`, and returns how many. */
  prune(db: Db, prune: { before: Date; most: number }): Promise<number>
}
