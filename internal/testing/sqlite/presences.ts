import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileOf } from '../../db/sqlite/address.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** Has every process that works on a database be taken for gone, though it lives. */
export function losePresences(database: DatabaseAddress): void {
  const path = fileOf(database)
  const own = basename(lockOf(database, ''))
  for (const name of readdirSync(dirname(path)).filter((name) => name.startsWith(own)))
    rmSync(join(dirname(path), name))
}

/** Has nobody tell, not even root, whether a process of this ID has ended; returns what the errors about it name. */
export function hidePresence(database: DatabaseAddress, id: string): string {
  const path = lockOf(database, id)
  mkdirSync(path)
  return path
}

function lockOf(database: DatabaseAddress, id: string): string {
  return `${fileOf(database)}-worker-${id}`
}
