import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Holding } from '../held-table.ts'
import { serverOf } from '../../db/mysql/address.ts'
import { Connection } from '../../db/mysql/connection.ts'
import { migratingLock } from '../../db/mysql/locks.ts'

/** Takes the lock of migrations, as another process would, until the connection that is returned ends. */
export async function holdMigrations(database: DatabaseAddress): Promise<{ end(): Promise<void> }> {
  const url = serverOf(database)
  const connection = await Connection.open(url)
  await connection.ask('SELECT GET_LOCK(?, 0) AS held', [migratingLock(url)])
  return connection
}

/** How many processes wait for the lock of migrations. */
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
  const [, open = ''] =
    /^A table is held by another transaction\. These are open: (.+)\. Wait until it is over, or end its connection so\.$/.exec(
      advice,
    ) ?? []
  const ends = open
    .split('; ')
    .map((each) => /^that of \w+@\S+, for \d+ s \(KILL (\d+)\)$/.exec(each)?.[1])
  if (!ends.every(Boolean)) throw new Error(`The advice was: ${advice}`)
  const url = serverOf(database)
  const by = await Connection.open(url)
  // Other tests make and drop databases meanwhile, by connections that have none: those are told too, and stay.
  const processes = await by.rows('SHOW PROCESSLIST')
  const holder = processes.find(([id, , , db]) => db === url.database && ends.includes(String(id)))
  await by.script(`KILL ${String(holder?.[0])}`)
  await by.end()
}

export const holding: Holding = { readUsers, waitingForTables, endAsTold }
