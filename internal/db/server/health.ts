import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Addresses } from '../address.ts'
import type { Db } from '../db.ts'
import type { Health, Inspection } from '../health.ts'
import { alike } from '../alike/health.ts'
import { closedDatabase, noDatabase } from './findings.ts'

/**
 * Milliseconds that an inspection waits for an answer, or for a table that others have locked. Checking the integrity
 * of all data may take longer.
 */
export const inspectionPatience = 10_000

/** What differs between the kinds of server. */
interface ServerSpecifics {
  readonly addresses: Addresses
  readonly open: (database: DatabaseAddress) => Promise<Inspection>
  readonly hasTable: (db: Db, name: string) => Promise<boolean>
}

/** Returns the `Health` of databases on a kind of server. */
export function healthOn({ addresses, open, hasTable }: ServerSpecifics): Health {
  return {
    inspect: async (database) => {
      try {
        if (!(await addresses.isThere(database)))
          return { result: 'none', finding: noDatabase(addresses.nameOf(database)) }
        return { result: 'open', inspection: await open(database) }
      } catch (error) {
        return { result: 'closed', finding: closedDatabase(error) }
      }
    },

    ...alike(hasTable),

    lastWritten: async (db) => {
      const last = await db.first<{ at: Date | null }>`
        SELECT max(at) AS at FROM (
          SELECT max(created_at) AS at FROM users
          UNION ALL SELECT max(last_seen_at) FROM logins
          UNION ALL SELECT max(created_at) FROM notifications
          UNION ALL SELECT max(created_at) FROM jobs
          UNION ALL SELECT max(ran_at) FROM migrations) AS all_times`
      return last?.at ?? undefined
    },
  }
}
