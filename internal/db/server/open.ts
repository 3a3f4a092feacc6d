import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Database, DatabaseOptions } from '../db.ts'
import { ServerDatabase, type Dialect, usualWait } from './database.ts'
import type { Guard, GuardOptions } from './guard.ts'
import { type Lendable, Pool } from './pool.ts'
import type { ServerUrl } from './url.ts'

/** How to connect to, guard and query a kind of server. */
interface ServerDriver<Connection extends Lendable, Url extends ServerUrl> {
  readonly serverOf: (address: DatabaseAddress) => Url
  readonly connect: (url: Url, options: { patience: number }) => Promise<Connection>
  readonly guardOf: (url: Url, options: GuardOptions) => Promise<Guard>
  /** Returns a `DatabaseBusy` for a refusal that may be temporary; other refusals unchanged. */
  readonly busyOf: (refusal: unknown) => unknown
  readonly dialect: Dialect<Connection>
}

/**
 * Returns the function that opens a database on a server. It throws an error with advice if the server cannot be
 * reached or refuses access, and `DatabaseBusy` if a restore holds the database for the whole wait.
 */
export function opener<Connection extends Lendable, Url extends ServerUrl>({
  serverOf,
  connect,
  guardOf,
  busyOf,
  dialect,
}: ServerDriver<Connection, Url>) {
  return async (
    address: DatabaseAddress,
    { wait = usualWait, unguarded: lost = () => {} }: DatabaseOptions = {},
  ): Promise<Database> => {
    const url = serverOf(address)
    const patience = Math.max(wait, 1000)
    const guard = await guardOf(url, { wait, patience, lost })
    const open = () => connect(url, { patience })
    const pool = new Pool({ open, busyOf, most: url.max, wait: patience })
    try {
      await pool.begin()
    } catch (error) {
      await guard.end()
      throw error
    }
    return new ServerDatabase({ pool, guard, dialect, patience, most: url.max })
  }
}
