import { serverOf } from '../../db/postgres/address.ts'
import { Connection } from '../../db/postgres/connection.ts'
import { quoted } from '../../db/statement.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** Sets a default for the database's future connections, like a setting of the role or the server. */
export async function alterDatabase(address: DatabaseAddress, setting: string): Promise<void> {
  const { database } = serverOf(address)
  await script(address, `ALTER DATABASE ${quoted(database)} SET ${setting}`)
}

/** Runs statements without values as the server's owner. */
export async function script(address: DatabaseAddress, statements: string): Promise<void> {
  const connection = await Connection.open(serverOf(address))
  try {
    await connection.script(statements)
  } finally {
    await connection.end()
  }
}
