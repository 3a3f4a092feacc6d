import { hash } from 'node:crypto'
import { appName } from '../../../web/contract/name.ts'
import type { ServerUrl } from '../server/url.ts'

/** A lock is of the whole server, and its name has 64 letters at most: so the database is in it by a hash. */
function lockName(what: string, { database }: ServerUrl): string {
  return `${appName.slice(0, 20)}.${hash('sha256', database).slice(0, 20)}.${what}`
}

/** Of whoever migrates. */
export function migratingLock(url: ServerUrl): string {
  return lockName('migrating', url)
}

/** How many may have a database open at once. */
const places = 512

/**
 * No lock is shared there. So there are as many as may have it open: each takes one, whichever is free, and a restore
 * all of them.
 */
export function openLocks(url: ServerUrl): string[] {
  return Array.from({ length: places }, (_, place) => lockName(`open.${place}`, url))
}
