import { hash } from 'node:crypto'
import { appName } from '../../../web/contract/name.ts'
import type { ServerUrl } from '../server/url.ts'

/** A lock counts on the whole server, and its name has 64 letters at most: so a hash stands for the database's name. */
function lockName(purpose: string, { database }: ServerUrl): string {
  return `${appName.slice(0, 20)}.${hash('sha256', database).slice(0, 20)}.${purpose}`
}

/** The lock of the process that migrates. */
export function migratingLock(url: ServerUrl): string {
  return lockName('migrating', url)
}

/** How many processes may have a database open at once. */
const places = 512

/**
 * MySQL has no named locks that processes can share. So there is one for each process that may have the database open:
 * a process takes any that is free, and a restore all of them.
 */
export function openLocks(url: ServerUrl): string[] {
  return Array.from({ length: places }, (_, place) => lockName(`open.${place}`, url))
}
