import { readFileSync, writeFileSync } from 'node:fs'
import { fileOf } from '../../db/sqlite/address.ts'
import { openWriter } from '../../db/sqlite/connection.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** From here on what users had belongs to nobody, which no statement of ours could do. */
export async function orphanAll(database: DatabaseAddress): Promise<void> {
  const connection = await openWriter(fileOf(database), 1000)
  connection.pragma('foreign_keys = OFF')
  connection.exec('DELETE FROM users')
  connection.close()
}

/** Spoils a part of a database that nobody has open, as a failing disk does. */
export async function damage(database: DatabaseAddress): Promise<void> {
  const path = fileOf(database)
  const bytes = readFileSync(path)
  bytes.fill(0x5a, 4096 * 4, 4096 * 6)
  writeFileSync(path, bytes)
}
