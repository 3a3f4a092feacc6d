import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Holding } from '../held-table.ts'
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

async function readUsers(database: DatabaseAddress): Promise<void> {
  const connection = await Connection.open(serverOf(database))
  onTestFinished(() => connection.end())
  await connection.script('START TRANSACTION')
  await connection.script('SELECT 1 FROM users')
}

async function waitingForTables(database: DatabaseAddress): Promise<number> {
  const connection = await Connection.open(serverOf(database))
  const [[count] = []] = await connection.rows(
    "SELECT count(*) FROM information_schema.processlist WHERE db LIKE CONCAT(DATABASE(), '%') AND state = 'Waiting for table metadata lock'",
  )
  await connection.end()
  return Number(count)
}

async function endAsTold(database: DatabaseAddress, advice: string): Promise<void> {
  const [, ends = ''] =
    /^A table is held by another transaction\. These are open: that of \w+@\S+, for \d+ s \((KILL \d+)\)\. Wait until it is over, or end its connection so\.$/.exec(
      advice,
    ) ?? []
  const by = await Connection.open(serverOf(database))
  await by.script(ends)
  await by.end()
}

export const holding: Holding = { readUsers, waitingForTables, endAsTold }
