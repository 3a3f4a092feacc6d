import type { Db, Tx } from './db.ts'

/** What a user with two-factor login has sealed. */
export interface SealedTwoFactor {
  readonly id: number
  readonly secret: string
  readonly codes: string
}

/** A sealed text in place of the one that was read. */
export interface Resealing {
  readonly id: number
  readonly from: string
  readonly to: string
}

/** The second factor of a user. `secret` and `codes` are sealed texts throughout. */
export interface TwoFactor {
  /** Keeps secret and codes, and the step of the code that was shown for them. False when it is on already. */
  turnOn(
    tx: Tx,
    factor: { id: number; secret: string; codes: string; step: number },
  ): Promise<boolean>
  /** Clears secret, codes and step. False when it was off. */
  turnOff(tx: Tx, id: number): Promise<boolean>
  /**
   * Uses up a time step: false unless it is later than the last one (security rule 1), and `secret`, which its code
   * was checked with, is still the user's.
   */
  acceptStep(tx: Tx, accepted: { id: number; secret: string; step: number }): Promise<boolean>
  /** Keeps other recovery codes, or the same sealed anew. False when they are not `from` any more (security rule 1). */
  replaceCodes(tx: Tx, change: Resealing): Promise<boolean>
  /** Those of some users, in the order of their IDs: of those with a greater one than `after`. */
  sealed(db: Db, list: { after: number; most: number }): Promise<SealedTwoFactor[]>
  /** Keeps the same secret sealed anew. False when it is not `from` any more. */
  resealSecret(tx: Tx, resealing: Resealing): Promise<boolean>
}
