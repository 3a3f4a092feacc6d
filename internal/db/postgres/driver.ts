import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Database, DatabaseOptions } from '../db.ts'
import { ServerDatabase, type Speech, usualWait } from '../server/database.ts'
import { Pool } from '../server/pool.ts'
import { serverOf } from './address.ts'
import { Connection } from './connection.ts'
import { busyOrRefused, isOutdated, runsAgain, takesNoWrite } from './errors.ts'
import { guardOf } from './guard.ts'
import { asked } from './statements.ts'
import { PostgresTransaction } from './transaction.ts'

const speech: Speech<Connection> = {
  asked,
  transaction: (connection) => new PostgresTransaction(connection),
  runsAgain,
  isOutdated,
  takesNoWrite,
}

/**
 * Connects to the server. One that cannot be reached, or does not let us in, throws an error that says what to do; one
 * that a restore has to itself for all that time throws `DatabaseBusy`.
 */
export async function openDatabase(
  address: DatabaseAddress,
  { wait = usualWait, unguarded: lost = () => {} }: DatabaseOptions = {},
): Promise<Database> {
  const url = serverOf(address)
  const patience = Math.max(wait, 1000)
  const guard = await guardOf(url, { wait, patience, lost })
  const open = () => Connection.open(url, { patience })
  const pool = new Pool({ open, busyOf: busyOrRefused, most: url.max, wait: patience })
  try {
    await pool.begin()
  } catch (error) {
    await guard.end()
    throw error
  }
  return new ServerDatabase({ pool, guard, speech, patience, most: url.max })
}
