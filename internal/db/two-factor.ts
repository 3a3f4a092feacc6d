import type { Db, Tx } from './db.ts'

/** The sealed secrets of a user with two-factor login. */
export interface SealedTwoFactor {
  readonly id: number
  readonly secret: string
  readonly codes: string
}

/** A sealed text, and the one it replaces. */
export interface Resealing {
  readonly id: number
  readonly from: string
  readonly to: string
}

/** A user's second factor. `secret` and `codes` are always sealed. */
export interface TwoFactor {
  /** Stores the secret, the codes and the step of the code that confirmed them. False if it is on already. */
  turnOn(
    tx: Tx,
    factor: { id: number; secret: string; codes: string; step: number },
  ): Promise<boolean>
  /** Clears the secret, the codes, the time when they were saved, and the step. False if it was off. */
  turnOff(tx: Tx, id: number): Promise<boolean>
  /**
   * Uses up a time step. False unless it is later than the last one (security rule 1) and `secret`, which verified the
   * code, is still the user's.
   */
  acceptStep(tx: Tx, accepted: { id: number; secret: string; step: number }): Promise<boolean>
  /**
   * Stores the remaining recovery codes, or the same ones resealed. False if the codes are no longer `from` (security
   * rule 1).
   */
  replaceCodes(tx: Tx, change: Resealing): Promise<boolean>
  /** Stores newly made codes, which nobody has saved yet. False if the codes are no longer `from`. */
  renewCodes(tx: Tx, change: Resealing): Promise<boolean>
  /** Records when the codes were first saved. False if that is recorded already, or two-factor login is off. */
  noteSaved(tx: Tx, saved: { id: number; at: Date }): Promise<boolean>
  /**
   * Returns the sealed texts of at most `most` users, ordered by ID, with IDs greater than `after` and at most
   * `until`.
   */
  sealed(db: Db, list: { after: number; until?: number; most: number }): Promise<SealedTwoFactor[]>
  /** Stores the same secret resealed. False if the secret is no longer `from`. */
  resealSecret(tx: Tx, resealing: Resealing): Promise<boolean>
}

/** These statements run on every database. */
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

  resealSecret: async (tx, { id, from, to }) =>
    (await tx.run`
      UPDATE users SET two_factor_secret = ${to}
      WHERE id = ${id} AND two_factor_secret = ${from}`) === 1,
}
