import { newRecoveryCodes } from '../../base/recovery-codes.ts'
import { twoFactor } from '#db/two-factor'
import { users } from '#db/users'
import { isOpened, open, seal } from './sealed.ts'
import type { App } from '../../app.ts'
import type { User } from '../../db/users.ts'

/** The recovery codes that can be used: none while two-factor login is off, or when no key opens them. */
export function readCodes(
  app: App,
  { id, recoveryCodes }: Pick<User, 'id' | 'recoveryCodes'>,
): string[] {
  if (recoveryCodes === null || !isOpened(app, 'recovery', id, recoveryCodes)) return []
  return JSON.parse(open(app, 'recovery', id, recoveryCodes)) as string[]
}

/** How many there are of them. */
export function codesLeft(app: App, user: Pick<User, 'id' | 'recoveryCodes'>): number {
  return readCodes(app, user).length
}

/** Eight new recovery codes in place of the old; undefined when two-factor login is off. */
export async function renewCodes(app: App, { id }: { id: number }): Promise<string[] | undefined> {
  const codes = newRecoveryCodes()
  return app.db.transaction(async (tx) => {
    const user = await users.byId(tx, id)
    if (!user || user.recoveryCodes === null) return undefined
    const change = { id, from: user.recoveryCodes, to: sealCodes(app, id, codes) }
    return (await twoFactor.replaceCodes(tx, change)) ? codes : undefined
  })
}

export function sealCodes(app: App, id: number, codes: readonly string[]): string {
  return seal(app, 'recovery', id, JSON.stringify(codes))
}
