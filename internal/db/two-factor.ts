import type { Db, Tx } from './db.ts'

/** The sealed texts of a user with two-factor login. */
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
  /** Clears secret, codes, whether they were saved, and step. False when it was off. */
  turnOff(tx: Tx, id: number): Promise<boolean>
  /**
   * Uses up a time step: false unless it is later than the last one (security rule 1), and `secret`, which its code
   * was checked with, is still the user's.
   */
  acceptStep(tx: Tx, accepted: { id: number; secret: string; step: number }): Promise<boolean>
  /**
   * Keeps the recovery codes that are left, or the same codes sealed anew. False when the codes are not `from` any more
   * (security rule 1).
   */
  replaceCodes(tx: Tx, change: Resealing): Promise<boolean>
  /** Keeps codes that were made anew, which nobody has saved yet. False when the codes are not `from` any more. */
  renewCodes(tx: Tx, change: Resealing): Promise<boolean>
  /** Notes that the codes are saved, the first time. False when that is noted already, or two-factor login is off. */
  noteSaved(tx: Tx, saved: { id: number; at: Date }): Promise<boolean>
  /**
   * The sealed texts of at most `most` users in the order of their IDs, which are greater than `after` and `until` at
   * most.
   */
  sealed(db: Db, list: { after: number; until?: number; most: number }): Promise<SealedTwoFactor[]>
  /** The highest ID that a user has; 0 when there is none. */
  lastUser(db: Db): Promise<number>
  /** Keeps the same secret sealed anew. False when the secret is not `from` any more. */
  resealSecret(tx: Tx, resealing: Resealing): Promise<boolean>
}

/** The statements are ones that every database understands. */
export const twoFactor: TwoFactor = {
  turnOn: async (tx, { id, secret, codes, step }) =>
    (await tx.run`
      UPDATE users SET
        two_factor_secret = ${secret},
        recovery_codes = ${codes},
        two_factor_step = ${step}
      WHERE id = ${id} AND two_factor_secret IS NULL`) === 1,

  turnOff: async (tx, id) =>
    (await tx.run`
      UPDATE users SET
        two_factor_secret = NULL,
        recovery_codes = NULL,
        recovery_codes_saved_at = NULL,
        two_factor_step = 0
      WHERE id = ${id} AND two_factor_secret IS NOT NULL`) === 1,

  acceptStep: async (tx, { id, secret, step }) =>
    (await tx.run`
      UPDATE users SET two_factor_step = ${step}
      WHERE id = ${id} AND two_factor_secret = ${secret} AND two_factor_step < ${step}`) === 1,

  replaceCodes: async (tx, { id, from, to }) =>
    (await tx.run`
      UPDATE users SET recovery_codes = ${to} WHERE id = ${id} AND recovery_codes = ${from}`) === 1,

  renewCodes: async (tx, { id, from, to }) =>
    (await tx.run`
      UPDATE users SET recovery_codes = ${to}, recovery_codes_saved_at = NULL
      WHERE id = ${id} AND recovery_codes = ${from}`) === 1,

  noteSaved: async (tx, { id, at }) =>
    (await tx.run`
      UPDATE users SET recovery_codes_saved_at = ${at}
      WHERE id = ${id} AND recovery_codes IS NOT NULL AND recovery_codes_saved_at IS NULL`) === 1,

  sealed: (db, { after, until = Number.MAX_SAFE_INTEGER, most }) =>
    db.all<SealedTwoFactor>`
      SELECT id, two_factor_secret AS secret, recovery_codes AS codes FROM users
      WHERE id > ${after} AND id <= ${until}
        AND two_factor_secret IS NOT NULL AND recovery_codes IS NOT NULL
      ORDER BY id LIMIT ${most}`,

  lastUser: async (db) =>
    (await db.first<{ id: number | null }>`SELECT max(id) AS id FROM users`)?.id ?? 0,

  resealSecret: async (tx, { id, from, to }) =>
    (await tx.run`
      UPDATE users SET two_factor_secret = ${to}
      WHERE id = ${id} AND two_factor_secret = ${from}`) === 1,
}
