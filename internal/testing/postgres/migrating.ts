import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { TableHolder } from '../database/held-table.ts'
import { serverOf } from '../../db/postgres/address.ts'
import { Connection } from '../../db/postgres/connection.ts'
import { lockKeys } from '../../db/postgres/locks.ts'

/** Takes the migration lock like another process, until the returned connection ends. */
export async function holdMigrations(database: DatabaseAddress): Promise<{ end(): Promise<void> }> {
  const connection = await Connection.open(serverOf(database))
  await connection.ask(`SELECT pg_advisory_lock(${lockKeys.migrating})`)
  return connection
}

/** Returns how many processes wait for the migration lock. */
export async function waitingToMigrate(database: DatabaseAddress): Promise<number> {
  const connection = await Connection.open(serverOf(database))
  const [[count] = []] = await connection.rows(
    `SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'advisory'`,
  )
  await connection.end()
  return Number(count)
}

async function readUsers(database: DatabaseAddress): Promise<void> {
  const connection = await Connection.open(serverOf(database))
  onTestFinished(() => connection.end())
  await connection.script("SET application_name = 'psql\u001b'; BEGIN; SELECT 1 FROM users")
}

async function waitingForTables(database: DatabaseAddress): Promise<number> {
  const connection = await Connection.open(serverOf(database))
  const [[count] = []] = await connection.rows(
    `SELECT count(*) FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'relation'`,
  )
  await connection.end()
  return Number(count)
}

async function followAdvice(database: DatabaseAddress, advice: string): Promise<void> {
  const [, ends = ''] =
    /^A table is locked by another transaction: process \d+ of psql\\x1b by \w+ since \d{4}-\S+Z\. Wait until it is over, or end it: (SELECT pg_terminate_backend\(\d+\))$/.exec(
      advice,
    ) ?? []
  const connection = await Connection.open(serverOf(database))
  await connection.script(ends)
  await connection.end()
}

export const tableHolder: TableHolder = { readUsers, waitingForTables, followAdvice }
