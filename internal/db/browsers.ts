import type { Db, Tx } from './db.ts'

export interface Browsers {
  /**
   * Keeps that the user logged in from the browser of this `hash` (SHA-256 of its ID), and returns whether that was
   * kept already.
   */
  seen(tx: Tx, login: { userId: number; hash: Uint8Array; at: Date }): Promise<boolean>
  /** Deletes the user's browsers that no login came from since. */
  forget(tx: Tx, forget: { userId: number; before: Date }): Promise<void>
  /** Deletes some of the user's but so many, those that the last logins came from; a clock that was ahead makes none older. */
  keepNewest(db: Db, user: { userId: number; now: Date; most: number }): Promise<void>
  /** Deletes some of those that no login came from since, and returns how many. */
  prune(db: Db, prune: { before: Date; most: number }): Promise<number>
}
