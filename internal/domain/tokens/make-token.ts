import { mostTokens, tokenDays, type TokenExpiry } from '../../../web/contract/limits.ts'
import { makeAccessToken } from '../../base/crypto/access-token.ts'
import { sha256 } from '../../base/crypto/random.ts'
import { tokens } from '#db/tokens'
import { take } from '../../services/throttle.ts'
import { asUser, type Ended } from '../logins/as-user.ts'
import { notify } from '../notifications/notify.ts'
import { day } from '../../base/time-units.ts'
import type { App } from '../../app.ts'
import type { Login } from '../logins/make-login.ts'
import type { Ability } from '../../../web/contract/abilities.ts'

export type Making =
  /** Too many were made in a minute: each is mailed to an address that may be a stranger's. */
  | { result: 'wait'; seconds: number }
  | { result: 'full' }
  | Ended
  | { result: 'made'; id: number; token: string }

/** Makes an API token, and notifies its user. Only the result holds the token: its hash alone is stored. */
export async function makeToken(
  app: App,
  login: Login,
  options: { name: string; abilities: readonly Ability[]; expiry: TokenExpiry },
): Promise<Making> {
  const seconds = await take(app, 'new-tokens', String(login.userId))
  if (seconds !== undefined) return { result: 'wait', seconds }
  const token = makeAccessToken()
  return asUser(app, login, async (tx, user) => {
    const { name } = options
    const at = app.now()
    const id = await tokens.insert(tx, {
      userId: user.id,
      hash: sha256(token),
      name,
      abilities: JSON.stringify(options.abilities),
      expiresAt: endOf(options.expiry, at),
      at,
      most: mostTokens,
    })
    if (id === undefined) return { result: 'full' }
    await notify(app, tx, user, { kind: 'token-created', data: { name } })
    return { result: 'made', id, token }
  })
}

export function isExpiry(text: string): text is TokenExpiry {
  return Object.hasOwn(tokenDays, text)
}

/** Returns when a token expires; null for never. A day has 24 hours, even when clocks change. */
function endOf(expiry: TokenExpiry, from: Date): Date | null {
  const days = tokenDays[expiry]
  return days === undefined ? null : new Date(from.getTime() + days * day)
}
