import type { Db, Tx } from './db.ts'

export interface Browsers {
  /**
   * Keeps that the user logged in from the browser of this `hash` (SHA-256 of its ID), and returns whether that was
   * kept already.
   */
  recordLogin(tx: Tx, login: { userId: number; hash: Uint8Array; at: Date }): Promise<boolean>
  /** Deletes the user's browsers that no login came from since `before`. */
  forget(tx: Tx, forget: { userId: number; before: Date }): Promise<void>
  /**
   * Keeps the user's `most` browsers with the latest logins, and deletes some of the rest. Logins later than `now`,
   * from when a clock was ahead, do not count, and their browsers stay.
   */
  keepNewest(db: Db, user: { userId: number; now: Date; most: number }): Promise<void>
  /** Deletes some browsers of all users that no login came from since `before`, and returns how many. */
  prune(db: Db, prune: { before: Date; most: number }): Promise<number>
}
