import { tokens } from '#db/tokens'
import { asUser, type Ended } from '../logins/as-user.ts'
import { readAbilities } from './abilities.ts'
import type { App } from '../../app.ts'
import type { AccessToken } from '../../db/tokens.ts'
import type { Login } from '../logins/make-login.ts'

export interface OwnToken extends Omit<AccessToken, 'userId' | 'hash' | 'abilities'> {
  readonly abilities: readonly string[]
  readonly isExpired: boolean
}

/** Lists the user's API tokens, newest first; expired ones stay until they are revoked. */
export async function listTokens(app: App, userId: number): Promise<readonly OwnToken[]> {
  const now = app.now()
  return (await tokens.ofUser(app.db, userId)).map(({ abilities, ...token }) => ({
    ...token,
    abilities: readAbilities(abilities),
    isExpired: token.expiresAt !== null && token.expiresAt <= now,
  }))
}

/**
 * Revokes one of the user's API tokens. `was revoked`: it is already gone. `none`: there never was one with
 * this ID, or it is another user's.
 */
export function revokeToken(
  app: App,
  login: Login,
  id: number,
): Promise<Ended | { result: 'revoked' | 'was revoked' | 'none' }> {
  return asUser(app, login, async (tx, { id: userId }) => {
    if (await tokens.delete(tx, { userId, id })) return { result: 'revoked' }
    return { result: (await tokens.isGone(tx, id)) ? 'was revoked' : 'none' }
  })
}
