import { newRecoveryCodes } from '../../base/crypto/recovery-codes.ts'
import { twoFactor } from '../../db/two-factor.ts'
import { asUser, type Ended } from '../logins/as-user.ts'
import { isOpened, open, seal } from './sealed.ts'
import type { App } from '../../app.ts'
import type { User } from '../../db/users.ts'
import type { Login } from '../logins/make-login.ts'

/** Returns the unused recovery codes: none while two-factor login is off, or if no key opens them. */
export function readCodes(
  app: App,
  { id, recoveryCodes }: Pick<User, 'id' | 'recoveryCodes'>,
): string[] {
  if (recoveryCodes === null || !isOpened(app, 'recovery', id, recoveryCodes)) return []
  return JSON.parse(open(app, 'recovery', id, recoveryCodes)) as string[]
}

/** Returns a mark of each unused recovery code: who has no key cannot tell from it which code it is of. */
export function codeMarks(app: App, user: Pick<User, 'id' | 'recoveryCodes'>): string[] {
  return readCodes(app, user).map((code) =>
    app.keys.sign('recovery', [String(user.id), code]).toString('base64url', 0, 6),
  )
}

export function codesLeft(app: App, user: Pick<User, 'id' | 'recoveryCodes'>): number {
  return readCodes(app, user).length
}

export type CodesRenewed = Ended | { result: 'off' } | { result: 'made'; codes: readonly string[] }

/** Replaces the recovery codes with eight new ones. `off`: two-factor login is off, so there are none. */
export function renewCodes(app: App, login: Login): Promise<CodesRenewed> {
  const codes = newRecoveryCodes()
  return asUser(app, login, async (tx, { id, recoveryCodes: from }) => {
    if (from === null) return { result: 'off' }
    const isMade = await twoFactor.renewCodes(tx, { id, from, to: sealCodes(app, id, codes) })
    return isMade ? { result: 'made', codes } : { result: 'off' }
  })
}

export type CodesSaved =
  | Ended
  | { result: 'off' | 'saved' | 'were saved' }
  | { result: 'others'; codes: readonly string[] }

/**
 * Records that the user has saved the recovery codes. `off`: two-factor login is off, so there are none.
 * `others`: the `shownCodes`, if known, are no longer valid, since `codes` replaced them.
 */
export function noteSaved(
  app: App,
  login: Login,
  shownCodes: readonly string[] | undefined,
): Promise<CodesSaved> {
  return asUser(app, login, async (tx, user) => {
    const { id, recoveryCodes } = user
    if (recoveryCodes === null) return { result: 'off' }
    const codes = readCodes(app, user)
    // A shown code may have been used meanwhile.
    if (shownCodes && !codes.every((code) => shownCodes.includes(code)))
      return { result: 'others', codes }
    const isNew = await twoFactor.noteSaved(tx, { id, at: app.now() })
    return { result: isNew ? 'saved' : 'were saved' }
  })
}

export function sealCodes(app: App, id: number, codes: readonly string[]): string {
  return seal(app, 'recovery', id, JSON.stringify(codes))
}
