import { without } from '../../base/crypto/recovery-codes.ts'
import { stepOf } from '../../base/crypto/totp.ts'
import { withoutSeparators } from '../../base/text/typed-code.ts'
import { twoFactor } from '../../db/two-factor.ts'
import { users } from '#db/users'
import { giveBack, take } from '../../services/throttle.ts'
import { readCodes, sealCodes } from './codes.ts'
import { isOpened, open } from './sealed.ts'
import type { App } from '../../app.ts'
import type { Tx } from '../../db/db.ts'
import type { User } from '../../db/users.ts'

/** A code from the authenticator app, or a recovery code. */
export type SubmittedCode = { readonly code: string } | { readonly recoveryCode: string }

export type CodeTry<Outcome> =
  | { result: 'wait'; seconds: number }
  | { result: 'wrong' }
  /** No key opens the sealed text that the code would be checked against: no code can be right. */
  | { result: 'lost' }
  | { result: 'right'; outcome: Outcome }

/**
 * Checks the second factor of a user, counting the try first (spec: Code use; security rules 1 and 14). A
 * right code is used up in the transaction of `whenRight`: if that throws, the code can be used again.
 */
export async function checkCode<Outcome>(
  app: App,
  { id }: Pick<User, 'id'>,
  submitted: SubmittedCode,
  whenRight: (tx: Tx, user: User) => Promise<Outcome>,
): Promise<CodeTry<Outcome>> {
  const seconds = await countTry(app, id)
  if (seconds !== undefined) return { result: 'wait', seconds }
  return app.db.transaction(async (tx) => {
    // Read afresh: the code belongs to the current secret.
    const user = await users.hold(tx, id)
    if (user && isLost(app, user, submitted)) return { result: 'lost' }
    if (!user || !(await useUp(app, tx, user, submitted))) return { result: 'wrong' }
    await giveBack(app, tx, 'failed-codes', String(id))
    return { result: 'right', outcome: await whenRight(tx, user) }
  })
}

/**
 * Returns how many seconds to wait. A login clears neither count, or whoever has the password could guess on.
 */
async function countTry(app: App, id: number): Promise<number | undefined> {
  return (await take(app, 'codes', String(id))) ?? (await take(app, 'failed-codes', String(id)))
}

function isLost(app: App, user: User, submitted: SubmittedCode): boolean {
  const { id, twoFactorSecret, recoveryCodes } = user
  const [purpose, sealed] =
    'code' in submitted
      ? (['totp', twoFactorSecret] as const)
      : (['recovery', recoveryCodes] as const)
  return sealed !== null && !isOpened(app, purpose, id, sealed)
}

/** Uses the code up. Returns false if it is wrong or was used before. */
function useUp(app: App, tx: Tx, user: User, submitted: SubmittedCode): Promise<boolean> {
  return 'code' in submitted
    ? useStep(app, tx, user, submitted.code)
    : useRecoveryCode(app, tx, user, submitted.recoveryCode)
}

async function useStep(app: App, tx: Tx, user: User, code: string): Promise<boolean> {
  const { id, twoFactorSecret: secret } = user
  if (secret === null) return false
  const step = stepOf(open(app, 'totp', id, secret), withoutSeparators(code), app.now())
  return step !== undefined && twoFactor.acceptStep(tx, { id, secret, step })
}

async function useRecoveryCode(app: App, tx: Tx, user: User, typed: string): Promise<boolean> {
  const { id, recoveryCodes: from } = user
  const remaining = without(readCodes(app, user), typed)
  if (from === null || !remaining) return false
  return twoFactor.replaceCodes(tx, { id, from, to: sealCodes(app, id, remaining) })
}
