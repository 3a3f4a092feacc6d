import { tokens } from '#db/tokens'
import { readAbilities } from './abilities.ts'
import type { App } from '../../app.ts'
import type { AccessToken } from '../../db/tokens.ts'

/** One of a user's API tokens. */
export interface OwnToken extends Omit<AccessToken, 'userId' | 'hash' | 'abilities'> {
  readonly abilities: readonly string[]
  readonly isExpired: boolean
}

/** The user's API tokens, the newest first; those that have expired stay until they are revoked. */
export async function listTokens(app: App, userId: number): Promise<readonly OwnToken[]> {
  const now = app.now()
  return (await tokens.ofUser(app.db, userId)).map(({ abilities, ...token }) => ({
    ...token,
    abilities: readAbilities(abilities),
    isExpired: token.expiresAt !== null && token.expiresAt <= now,
  }))
}

/**
 * Ends one of the user's API tokens, and says so of one that is gone already. False when there never was one of this
 * ID, or it is another user's.
 */
export async function revokeToken(
  app: App,
  { userId, id }: { userId: number; id: number },
): Promise<boolean> {
  return (await tokens.delete(app.db, { userId, id })) || (await tokens.isGone(app.db, id))
}
