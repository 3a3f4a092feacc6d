import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Database, DatabaseOptions } from '../db.ts'
import { ServerDatabase, type Dialect, usualWait } from './database.ts'
import type { Guard, GuardOptions } from './guard.ts'
import { type Lendable, Pool } from './pool.ts'
import type { ServerUrl } from './url.ts'

/** How a kind of server is connected to, guarded and asked. */
interface ServerDriver<Connection extends Lendable, Url extends ServerUrl> {
  readonly serverOf: (address: DatabaseAddress) => Url
  readonly connect: (url: Url, options: { patience: number }) => Promise<Connection>
  readonly guardOf: (url: Url, options: GuardOptions) => Promise<Guard>
  /** Returns a `DatabaseBusy` for a refused connection that may be granted later; other refusals as they are. */
  readonly busyOf: (refusal: unknown) => unknown
  readonly dialect: Dialect<Connection>
}

/**
 * Returns the function that opens a database on a server. It throws an error that says what to do where the server
 * cannot be reached or does not let us in, and `DatabaseBusy` where a restore has the database to itself all that time.
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
