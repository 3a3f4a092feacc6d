import type { DatabaseAddress } from '../../base/settings/config.ts'
import type { Addresses } from '../address.ts'
import type { Db } from '../db.ts'
import type { Health, JobCounts, Look } from '../health.ts'
import { closedDatabase, noDatabase } from './findings.ts'

/** What is of one kind of server alone. */
interface Kind {
  readonly addresses: Addresses
  readonly open: (database: DatabaseAddress) => Promise<Look>
  readonly hasTable: (db: Db, name: string) => Promise<boolean>
}

/** Health of databases on a kind of server. */
export function healthOn({ addresses, open, hasTable }: Kind): Health {
  return {
    look: async (database) => {
      try {
        if (!(await addresses.isThere(database)))
          return { result: 'none', finding: noDatabase(addresses.nameOf(database)) }
        return { result: 'open', look: await open(database) }
      } catch (error) {
        return { result: 'closed', finding: closedDatabase(error) }
      }
    },

    ranMigrations: async (db) =>
      (await hasTable(db, 'migrations'))
        ? db.all`SELECT name, hash FROM migrations ORDER BY name`
        : [],

    hasAccounts: async (db) =>
      (await hasTable(db, 'users')) && (await db.first`SELECT 1 FROM users LIMIT 1`) !== undefined,

    ...told,
  }
}

const told: Pick<Health, 'jobs' | 'lastWritten' | 'photos'> = {
  jobs: async (db, dueBefore) => {
    const counts = await db.first<JobCounts>`
      SELECT
        (SELECT count(*) FROM jobs WHERE failed_at IS NOT NULL) AS failed,
        (SELECT name FROM jobs WHERE failed_at IS NOT NULL ORDER BY failed_at DESC LIMIT 1) AS last_failed,
        (SELECT count(*) FROM jobs
          WHERE failed_at IS NULL AND claimed_by IS NULL
            AND coalesce(run_at, created_at) < ${dueBefore}) AS overdue`
    return counts ?? { failed: 0, lastFailed: null, overdue: 0 }
  },

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

  photos: async (db, most) => {
    const rows = await db.all<{ photo: string }>`
      SELECT photo FROM users WHERE photo IS NOT NULL ORDER BY id DESC LIMIT ${most}`
    const all = await db.first<{ count: number }>`SELECT count(photo) AS count FROM users`
    return { count: all?.count ?? 0, keys: rows.map(({ photo }) => photo) }
  },
}
