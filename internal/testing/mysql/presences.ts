import type { DatabaseAddress } from '../../base/settings/config.ts'
import { serverOf } from '../../db/mysql/address.ts'
import { Connection } from '../../db/mysql/connection.ts'

/** Makes every process with claimed jobs seem dead: closes the connections that hold their locks. */
export async function endPresences(database: DatabaseAddress): Promise<void> {
  const connection = await Connection.open(serverOf(database))
  const connections = await connection.rows(
    'SELECT DISTINCT IS_USED_LOCK(claimed_by) FROM jobs WHERE IS_USED_LOCK(claimed_by) IS NOT NULL',
  )
  for (const [id] of connections) await connection.script(`KILL ${String(id)}`)
  await connection.end()
}

/** Returns the ID of a process whose end cannot be determined, and what the errors about it name. */
export async function hiddenPresence(
  _database: DatabaseAddress,
): Promise<{ id: string; named: string }> {
  // One letter more than a lock's name may have.
  return { id: 'h'.repeat(65), named: 'lock name' }
}
