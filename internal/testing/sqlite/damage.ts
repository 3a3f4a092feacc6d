import { readFileSync, writeFileSync } from 'node:fs'
import { fileOf } from '../../db/sqlite/address.ts'
import { openWriter } from '../../db/sqlite/connection.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** Deletes all users but not their dependent rows, which no statement of the service could do. */
export async function deleteUsersAlone(database: DatabaseAddress): Promise<void> {
  const connection = await openWriter(fileOf(database), 1000)
  connection.pragma('foreign_keys = OFF')
  connection.exec('DELETE FROM users')
  connection.close()
}

/** Corrupts part of a database that nobody has open, like a failing disk. */
export async function damageDatabase(database: DatabaseAddress): Promise<void> {
  const path = fileOf(database)
  const bytes = readFileSync(path)
  bytes.fill(0x5a, 4096 * 4, 4096 * 6)
  writeFileSync(path, bytes)
}
