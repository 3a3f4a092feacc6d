import type { Db } from '../db.ts'
import type { Health, JobCounts } from '../health.ts'

/** In words that every database understands, but for whether it has a table. */
export function alike(hasTable: (db: Db, name: string) => Promise<boolean>) {
  return {
    ranMigrations: async (db) =>
      (await hasTable(db, 'migrations'))
        ? db.all`SELECT name, hash FROM migrations ORDER BY name`
        : [],

    hasAccounts: async (db) =>
      (await hasTable(db, 'users')) && (await db.first`SELECT 1 FROM users LIMIT 1`) !== undefined,

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

    photos: async (db, most) => {
      const rows = await db.all<{ photo: string }>`
        SELECT photo FROM users WHERE photo IS NOT NULL ORDER BY id DESC LIMIT ${most}`
      const all = await db.first<{ count: number }>`SELECT count(photo) AS count FROM users`
      return { count: all?.count ?? 0, keys: rows.map(({ photo }) => photo) }
    },
  } satisfies Partial<Health>
}
