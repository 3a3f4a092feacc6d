import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileOf } from '../../db/sqlite/address.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** Makes every process using a database seem dead. */
export async function endPresences(database: DatabaseAddress): Promise<void> {
  const path = fileOf(database)
  const own = basename(lockOf(database, ''))
  for (const name of readdirSync(dirname(path)).filter((name) => name.startsWith(own)))
    rmSync(join(dirname(path), name))
}

/** Returns the ID of a process whose end not even root can determine, and what the errors about it name. */
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
