import { rowOf } from '../../db/server/answer.ts'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DatabaseAddress } from '../../base/settings/config.ts'
import { serverOf } from '../../db/postgres/address.ts'
import { Connection } from '../../db/postgres/connection.ts'
import { withServer } from './server.ts'

/** From here on what users had belongs to nobody, which no statement of ours could do. */
export async function orphanAll(database: DatabaseAddress): Promise<void> {
  const connection = await Connection.open(serverOf(database))
  await connection.script('SET session_replication_role = replica; DELETE FROM users')
  await connection.end()
}

/** Spoils a part of a database that nobody has open, as a failing disk does. The server has to be on this machine. */
export async function damage(database: DatabaseAddress): Promise<void> {
  const { database: name } = serverOf(database)
  const connection = await Connection.open(serverOf(database))
  const is = rowOf(
    await connection.ask<{ folder: string; file: string }>(`
    SELECT current_setting('data_directory') AS folder,
      pg_relation_filepath('users') AS file`),
  )
  await connection.script('CHECKPOINT')
  await connection.end()
  const path = join(is.folder, is.file)
  writeFileSync(path, readFileSync(path).fill(0x5a, 100, 4000))
  await withServer(async (ask) => {
    await ask(`ALTER DATABASE ${name} RENAME TO spoilt_${name}`)
    // Of the one that was open the server has the pages in memory still: a copy of its files is read anew.
    await ask(`CREATE DATABASE ${name} TEMPLATE spoilt_${name} STRATEGY file_copy`)
    await ask(`DROP DATABASE spoilt_${name}`)
  })
}
