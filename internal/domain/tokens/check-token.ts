import { tokens } from '#db/tokens'
import { isAccessToken } from '../../base/crypto/access-token.ts'
import { sha256 } from '../../base/crypto/random.ts'
import { noteEvery } from '../../base/lifetimes.ts'
import { type Rate, takeRate } from '../../services/throttle.ts'
import type { Ability } from '../../../web/contract/abilities.ts'
import { allows, readAbilities } from './abilities.ts'
import type { App } from '../../app.ts'
import type { UsedToken } from '../../db/tokens.ts'

/** A calling token with its user, and how many more requests it has. */
export interface Caller {
  readonly token: UsedToken
  readonly rate: Rate
}

export type TokenTry =
  | { readonly result: 'unknown' }
  | { readonly result: 'throttled'; readonly caller: Caller; readonly seconds: number }
  | { readonly result: 'lacks' | 'allowed'; readonly caller: Caller }

/**
 * Checks whether a token allows something. The request of a valid token is counted before anything else is
 * revealed (spec: JSON API); any other is `unknown`, and nothing is counted. A failure to record the use is
 * logged with the `request`'s ID.
 */
export async function checkToken(
  app: App,
  text: string,
  { needed, request }: { needed: Ability; request: string },
): Promise<TokenTry> {
  if (!isAccessToken(text)) return { result: 'unknown' }
  const token = await tokens.use(app.db, { hash: sha256(text), now: app.now() })
  if (!token) return { result: 'unknown' }
  const rate = await takeRate(app, 'api-requests', String(token.tokenId))
  const caller = { token, rate }
  if (rate.wait !== undefined) return { result: 'throttled', caller, seconds: rate.wait }
  noteUse(app, token, request)
  return { result: allows(readAbilities(token.abilities), needed) ? 'allowed' : 'lacks', caller }
}

/** Records the last use, at most once a minute and in the background. */
function noteUse(app: App, { tokenId, lastUsedAt }: UsedToken, request: string): void {
  const now = app.now()
  const before = new Date(now.getTime() - noteEvery.tokenUse)
  // A use that far ahead was recorded by a wrong clock. Servers on one database agree to about a second.
  const beyond = new Date(now.getTime() + noteEvery.tokenUse)
  if (lastUsedAt !== null && lastUsedAt > before && lastUsedAt <= beyond) return
  const use = { id: tokenId, now, before, beyond }
  app.background('token used', tokens.used(app.db.unsynced, use), { request })
}
