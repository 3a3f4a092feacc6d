import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileOf } from '../../db/sqlite/address.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** Makes every process that works on a database seem gone, though it lives. */
export async function losePresences(database: DatabaseAddress): Promise<void> {
  const path = fileOf(database)
  const own = basename(lockOf(database, ''))
  for (const name of readdirSync(dirname(path)).filter((name) => name.startsWith(own)))
    rmSync(join(dirname(path), name))
}

/** The ID of a process of which nobody can tell, not even root, whether it has ended; and what the errors about it name. */
export async function hiddenPresence(
  database: DatabaseAddress,
): Promise<{ id: string; named: string }> {
  const id = 'hidden'
  const path = lockOf(database, id)
  mkdirSync(path)
  return { id, named: path }
}

function lockOf(database: DatabaseAddress, id: string): string {
  return `${fileOf(database)}-worker-${id}`
}
