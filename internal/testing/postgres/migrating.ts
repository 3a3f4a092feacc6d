import type { DatabaseAddress } from '../../base/settings/config.ts'
import { serverOf } from '../../db/postgres/address.ts'
import { Connection } from '../../db/postgres/connection.ts'
import { lockKeys } from '../../db/postgres/locks.ts'

/** Has the migrations be another's turn until the connection that is returned ends. */
export async function holdMigrations(database: DatabaseAddress): Promise<{ end(): Promise<void> }> {
  const connection = await Connection.open(serverOf(database))
  await connection.ask(`SELECT pg_advisory_lock(${lockKeys.migrating})`)
  return connection
}

/** How many wait for their turn. */
export async function waitingToMigrate(database: DatabaseAddress): Promise<number> {
  const connection = await Connection.open(serverOf(database))
  const [[count] = []] = await connection.rows(
    `SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`,
  )
  await connection.end()
  return Number(count)
}
