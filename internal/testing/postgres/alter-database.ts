import { serverOf } from '../../db/postgres/address.ts'
import { Connection } from '../../db/postgres/connection.ts'
import { quoted } from '../../db/statement.ts'
import type { DatabaseAddress } from '../../base/settings/config.ts'

/** Has those who connect from now on begin with a setting, as one of their role or of the server would. */
export async function alterDatabase(address: DatabaseAddress, setting: string): Promise<void> {
  const { database } = serverOf(address)
  await script(address, `ALTER DATABASE ${quoted(database)} SET ${setting}`)
}

/** Runs statements without values, as whoever owns the server. */
export async function script(address: DatabaseAddress, statements: string): Promise<void> {
  const connection = await Connection.open(serverOf(address))
  try {
    await connection.script(statements)
  } finally {
    await connection.end()
  }
}
