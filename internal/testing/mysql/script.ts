import type { DatabaseAddress } from '../../base/settings/config.ts'
import { serverOf } from '../../db/mysql/address.ts'
import { Connection } from '../../db/mysql/connection.ts'

/** Runs statements on a database, like a person by hand. */
export async function scriptIn(
  database: DatabaseAddress,
  ...statements: readonly string[]
): Promise<void> {
  const connection = await Connection.open(serverOf(database))
  try {
    for (const statement of statements) await connection.script(statement)
  } finally {
    await connection.end()
  }
}
