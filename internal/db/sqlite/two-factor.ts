import type { SealedTwoFactor, TwoFactor } from '../two-factor.ts'

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
      UPDATE users SET two_factor_secret = NULL, recovery_codes = NULL, two_factor_step = 0
      WHERE id = ${id} AND two_factor_secret IS NOT NULL`) === 1,

  acceptStep: async (tx, { id, secret, step }) =>
    (await tx.run`
      UPDATE users SET two_factor_step = ${step}
      WHERE id = ${id} AND two_factor_secret = ${secret} AND two_factor_step < ${step}`) === 1,

  replaceCodes: async (tx, { id, from, to }) =>
    (await tx.run`
      UPDATE users SET recovery_codes = ${to} WHERE id = ${id} AND recovery_codes = ${from}`) === 1,

  sealed: (db, { after, most }) =>
    db.all<SealedTwoFactor>`
      SELECT id, two_factor_secret AS secret, recovery_codes AS codes FROM users
      WHERE id > ${after} AND two_factor_secret IS NOT NULL AND recovery_codes IS NOT NULL
      ORDER BY id LIMIT ${most}`,

  resealSecret: async (tx, { id, from, to }) =>
    (await tx.run`
      UPDATE users SET two_factor_secret = ${to}
      WHERE id = ${id} AND two_factor_secret = ${from}`) === 1,
}
