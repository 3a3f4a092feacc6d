import type { DatabaseAddress } from '../../base/settings/config.ts'
import { serverOf } from '../../db/mysql/address.ts'
import { Connection } from '../../db/mysql/connection.ts'
import { migratingLock } from '../../db/mysql/locks.ts'

/** Has the migrations be another's turn until the connection that is returned ends. */
export async function holdMigrations(database: DatabaseAddress): Promise<{ end(): Promise<void> }> {
  const url = serverOf(database)
  const connection = await Connection.open(url)
  await connection.ask('SELECT GET_LOCK(?, 0) AS held', [migratingLock(url)])
  return connection
}

/** How many wait for their turn. */
export async function waitingToMigrate(database: DatabaseAddress): Promise<number> {
  const connection = await Connection.open(serverOf(database))
  const [[count] = []] = await connection.rows(
    "SELECT count(*) FROM information_schema.processlist WHERE db = DATABASE() AND state = 'User lock'",
  )
  await connection.end()
  return Number(count)
}
