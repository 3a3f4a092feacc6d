import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { TableHolder } from '../database/held-table.ts'
import { serverOf } from '../../db/mysql/address.ts'
import { Connection } from '../../db/mysql/connection.ts'
import { migratingLock } from '../../db/mysql/locks.ts'

/** Takes the migration lock like another process, until the returned connection ends. */
export async function holdMigrations(database: DatabaseAddress): Promise<{ end(): Promise<void> }> {
  const url = serverOf(database)
  const connection = await Connection.open(url)
  await connection.ask('SELECT GET_LOCK(?, 0) AS held', [migratingLock(url)])
  return connection
}

/** Returns how many processes wait for the migration lock. */
export async function waitingToMigrate(database: DatabaseAddress): Promise<number> {
  const own = serverOf(database).database
  const open = await processes(database)
  return open.filter(({ name, state }) => name === own && state === 'User lock').length
}

/** Returns the server's processes, each with its database and state. */
async function processes(database: DatabaseAddress) {
  const connection = await Connection.open(serverOf(database))
  // Not by SELECT, which fails while any connection runs a prepared statement with bytes that are not text.
  const rows = await connection.rows('SHOW PROCESSLIST')
  await connection.end()
  return rows.map(([id, , , name, , , state]) => ({ id: String(id), name: String(name), state }))
}

async function readUsers(database: DatabaseAddress): Promise<void> {
  const connection = await Connection.open(serverOf(database))
  onTestFinished(() => connection.end())
  await connection.script('START TRANSACTION')
  await connection.script('SELECT 1 FROM users')
}

async function waitingForTables(database: DatabaseAddress): Promise<number> {
  const own = serverOf(database).database
  const waiting = (await processes(database)).filter(
    ({ name, state }) => name.startsWith(own) && state === 'Waiting for table metadata lock',
  )
  return waiting.length
}

async function followAdvice(database: DatabaseAddress, advice: string): Promise<void> {
  const [, open = ''] =
    /^A table is held by another transaction\. These are open: (.+)\. Wait until it is over, or end its connection so\.$/.exec(
      advice,
    ) ?? []
  const ends = open
    .split('; ')
    .map((each) => /^that of \w+@\S+, for \d+ s \(KILL (\d+)\)$/.exec(each)?.[1])
  if (!ends.every(Boolean)) throw new Error(`The advice was: ${advice}`)
  // Other tests create and drop databases meanwhile, on connections without one: those are reported too, and stay.
  const own = serverOf(database).database
  const running = await processes(database)
  const holder = running.find(({ id, name }) => name === own && ends.includes(id))
  const connection = await Connection.open(serverOf(database))
  await connection.script(`KILL ${String(holder?.id)}`)
  await connection.end()
}

export const tableHolder: TableHolder = { readUsers, waitingForTables, followAdvice }
