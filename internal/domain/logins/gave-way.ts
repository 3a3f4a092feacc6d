import { addresses } from '#db/address'
import { cache } from '#db/cache'
import { sha256 } from '../../base/crypto/random.ts'
import type { App } from '../../app.ts'
import type { Log } from '../../base/log.ts'
import type { Tx } from '../../db/db.ts'

/** Milliseconds, of an answer on its way to the browser. */
export const longestWay = 3_000
// Milliseconds, of a request until its answer: half a minute for a form, and some more.
const longestRequest = 60_000

/**
 * Whether it is kept in the database that a cookie gave way: where other servers may answer the same browser, and where
 * this one makes the login in one transaction and its session in another, between which it answers others.
 */
export function keepsGivenWay({ config }: Pick<App, 'config'>): boolean {
  return addresses.setting === 'DB_URL' || config.sessionStore === 'database'
}

/**
 * Notes with a login that what its browser came with, by the name that cookies are noted by, gives way to it. undefined
 * where there is nothing to wait for.
 */
export function noteGaveWay(
  app: Pick<App, 'config' | 'id' | 'now'>,
  tx: Tx,
  cameWith: string | undefined,
): Promise<void> | undefined {
  if (!cameWith || !keepsGivenWay(app)) return undefined
  const at = app.now().getTime()
  const endsAt = new Date(at + longestWay + longestRequest)
  return cache.put(tx, { key: keyOf(cameWith), value: JSON.stringify({ at, by: app.id }), endsAt })
}

/**
 * Whether it gave way so lately, as a request began with it, that the browser may have had no answer yet; by another server,
 * unless this one does not know of it yet: a login is made before its cookie. Where the database cannot be asked it did not.
 */
export async function gaveWayInDatabase(
  app: App,
  cameWith: string,
  { began, log, isKnown }: { began: number; log: Log; isKnown: boolean },
): Promise<boolean> {
  try {
    const value = await cache.get(app.db, { key: keyOf(cameWith), now: app.now() })
    if (value === undefined) return false
    // Only this file keeps entries of such a name.
    const { at, by } = JSON.parse(value) as { at: number; by: string }
    return (by !== app.id || !isKnown) && began - at <= longestWay
  } catch (error) {
    log.warn('it is not known whether another server has made a login', { error })
    return false
  }
}

// A hash: the name may be a whole cookie.
function keyOf(cameWith: string): string {
  return `gave-way:${sha256(cameWith).toString('base64url')}`
}
