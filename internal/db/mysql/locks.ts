import { hash } from 'node:crypto'
import { appName } from '../../../web/contract/name.ts'
import type { ServerUrl } from '../server/url.ts'

/** Locks are global to the server and their names have at most 64 letters: so a hash stands for the database's name. */
function lockName(purpose: string, { database }: ServerUrl): string {
  return `${appName.slice(0, 20)}.${hash('sha256', database).slice(0, 20)}.${purpose}`
}

/** Returns the name of the migrating process's lock. */
export function migratingLock(url: ServerUrl): string {
  return lockName('migrating', url)
}

/** How many processes may have a database open at once. */
const places = 512

/**
 * Returns the names of one lock per process that may have the database open, since MySQL has no shared named locks: a
 * process takes any free one, and a restore all of them.
 */
export function openLocks(url: ServerUrl): string[] {
  return Array.from({ length: places }, (_, place) => lockName(`open.${place}`, url))
}
