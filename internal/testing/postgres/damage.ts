import { rowOf } from '../../db/server/answer.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { serverOf } from '../../db/postgres/address.ts'
import { Connection } from '../../db/postgres/connection.ts'
import { withServer } from './server.ts'

/** Deletes all users but not their dependent rows, which no statement of the service could do. */
export async function deleteUsersAlone(database: DatabaseAddress): Promise<void> {
  const connection = await Connection.open(serverOf(database))
  await connection.script('SET session_replication_role = replica; DELETE FROM users')
  await connection.end()
}

/** Corrupts part of a database that nobody has open, like a failing disk. The server must be on this machine. */
export async function damageDatabase(database: DatabaseAddress): Promise<void> {
  const { database: name } = serverOf(database)
  const connection = await Connection.open(serverOf(database))
  const location = rowOf(
    await connection.ask<{ folder: string; file: string }>(`
    SELECT current_setting('data_directory') AS folder,
      pg_relation_filepath('users') AS file`),
  )
  await connection.script('CHECKPOINT')
  await connection.end()
  const path = join(location.folder, location.file)
  writeFileSync(path, readFileSync(path).fill(0x5a, 100, 4000))
  await withServer(async (ask) => {
    await ask(`ALTER DATABASE ${name} RENAME TO spoilt_${name}`)
    // The server still caches pages of the database: those of a copy of its files are read afresh.
    await ask(`CREATE DATABASE ${name} TEMPLATE spoilt_${name} STRATEGY file_copy`)
    await ask(`DROP DATABASE spoilt_${name}`)
  })
}
