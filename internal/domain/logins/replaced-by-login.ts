import { addresses } from '#db/address'
import { cache } from '#db/cache'
import { sha256 } from '../../base/crypto/random.ts'
import type { App } from '../../app.ts'
import type { Log } from '../../base/log.ts'
import type { Tx } from '../../db/db.ts'

/** The longest time for an answer to reach the browser, in milliseconds. */
export const longestDelivery = 3_000
// The longest time from a request to its answer, in milliseconds: half a minute for a form, and a margin.
const longestRequest = 60_000

/**
 * Returns whether the database records which cookies a login replaced. It does where other servers may answer
 * the same browser, and where this one makes a login and its session in two transactions, between which it
 * may answer other requests.
 */
export function recordsReplacedCookies({ config }: Pick<App, 'config'>): boolean {
  return addresses.setting === 'DB_URL' || config.sessionStore === 'database'
}

/**
 * Records, in the transaction of a login, that it replaces the session cookie of this name. Returns undefined if
 * nothing is recorded.
 */
export function recordReplacedCookie(
  app: Pick<App, 'config' | 'id' | 'now'>,
  tx: Tx,
  sessionName: string | undefined,
): Promise<void> | undefined {
  if (!sessionName || !recordsReplacedCookies(app)) return undefined
  const at = app.now().getTime()
  const endsAt = new Date(at + longestDelivery + longestRequest)
  return cache.put(tx, {
    key: keyOf(sessionName),
    value: JSON.stringify({ at, by: app.id }),
    endsAt,
  })
}

/**
 * Returns whether a login replaced this cookie less than `longestDelivery` before the request began, or since: the
 * browser may not have the new cookie yet. Of this server's own logins, only one whose cookie is not made yet
 * counts (not `isKnown`). Returns false if the database fails.
 */
export async function isReplacedInDatabase(
  app: App,
  sessionName: string,
  { began, log, isKnown }: { began: number; log: Log; isKnown: boolean },
): Promise<boolean> {
  try {
    const value = await cache.get(app.db, { key: keyOf(sessionName), now: app.now() })
    if (value === undefined) return false
    // Only this file writes entries with such a key.
    const { at, by } = JSON.parse(value) as { at: number; by: string }
    return (by !== app.id || !isKnown) && began - at <= longestDelivery
  } catch (error) {
    log.warn('it is not known whether another server has made a login', { error })
    return false
  }
}

// Hashed, since the name may be a whole cookie.
function keyOf(sessionName: string): string {
  return `gave-way:${sha256(sessionName).toString('base64url')}`
}
