import { randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { serverOf } from '../../db/mysql/address.ts'
import { Connection } from '../../db/mysql/connection.ts'
import { quoted } from '../../db/statement.ts'
import { addressServed, databasesOfFolders, testedServer, urlWith } from '../database/on-server.ts'

/** A database with a connection that stays open with it: opening one takes as long as creating a table. */
export interface TestDatabase {
  readonly name: string
  readonly address: DatabaseAddress
  readonly connection: Connection
}

/**
 * Creates an empty database for a test. It is dropped at the end of the test, together with those that restores kept.
 */
export async function addressIn(_folder?: string): Promise<DatabaseAddress> {
  const database = await makeDatabase()
  onTestFinished(() => dropDatabase(database))
  return database.address
}

export async function makeDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`
  const server = testedServer('test:mysql')
  const connection = await Connection.open(serverOf(server))
  await connection.script(`CREATE DATABASE ${name}`)
  await connection.script(`USE ${name}`)
  return { name, address: { url: urlWith(server, name) }, connection }
}

/** Drops a database, together with those that restores kept, and closes the connection. */
export async function dropDatabase({ name, connection }: TestDatabase): Promise<void> {
  const kept = await connection.ask<{ own: string }>(
    'SELECT schema_name AS own FROM information_schema.schemata WHERE LEFT(schema_name, ?) = ?',
    [name.length, name],
  )
  for (const { own } of kept) await connection.script(`DROP DATABASE ${quoted(own)}`)
  await connection.end()
}

/** Returns the address of the earlier tables that a restore kept under this name. */
export function keptDatabaseOf(place: DatabaseAddress, name: string): DatabaseAddress {
  return { url: urlWith(place, name) }
}

export const { databaseOf, giveDatabase, settingsOfDatabase } = databasesOfFolders(addressIn)
export { addressServed }

export function nameIn(address: DatabaseAddress): string {
  return serverOf(address).database
}
