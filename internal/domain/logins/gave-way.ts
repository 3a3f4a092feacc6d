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

/** Whether other servers may answer the same browser: with a file there is one. */
export const hasOthers = addresses.setting === 'DB_URL'

/**
 * Tells the other servers that what a browser came with, by the name that cookies are noted by, gives way to a login.
 * undefined where there is nothing to wait for.
 */
export function noteGaveWay(
  { id, now }: Pick<App, 'id' | 'now'>,
  tx: Tx,
  cameWith: string | undefined,
): Promise<void> | undefined {
  if (!hasOthers || !cameWith) return undefined
  const at = now().getTime()
  const endsAt = new Date(at + longestWay + longestRequest)
  return cache.put(tx, { key: keyOf(cameWith), value: JSON.stringify({ at, by: id }), endsAt })
}

/**
 * Whether it gave way, by another server, so lately, as a request began with it, that the browser may have had no answer
 * yet. Where the database cannot be asked it did not.
 */
export async function gaveWayElsewhere(
  app: App,
  cameWith: string,
  { began, log }: { began: number; log: Log },
): Promise<boolean> {
  try {
    const value = await cache.get(app.db, { key: keyOf(cameWith), now: app.now() })
    if (value === undefined) return false
    // Only this file keeps entries of such a name.
    const { at, by } = JSON.parse(value) as { at: number; by: string }
    return by !== app.id && began - at <= longestWay
  } catch (error) {
    log.warn('it is not known whether another server has made a login', { error })
    return false
  }
}

// A hash: the name may be a whole cookie.
function keyOf(cameWith: string): string {
  return `gave-way:${sha256(cameWith).toString('base64url')}`
}
