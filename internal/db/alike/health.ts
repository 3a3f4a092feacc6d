import type { Db } from '../db.ts'
import type { FailedJobs, Health, RetriedJobs } from '../health.ts'

/** Statements that run on every database; only the check for a table differs. */
export function alike(hasTable: (db: Db, name: string) => Promise<boolean>) {
  return {
    ranMigrations: async (db) =>
      (await hasTable(db, 'migrations'))
        ? db.all`SELECT name, hash FROM migrations ORDER BY name`
        : [],

    hasAccounts: async (db) =>
      (await hasTable(db, 'users')) && (await db.first`SELECT 1 FROM users LIMIT 1`) !== undefined,

    jobs: async (db, dueBefore) => {
      const failed = await db.first<FailedJobs>`
        SELECT name, count(*) OVER () AS count FROM jobs
        WHERE failed_at IS NOT NULL
        ORDER BY failed_at DESC, id DESC LIMIT 1`
      const overdue = await db.first<{ count: number }>`
        SELECT count(*) AS count FROM jobs
        WHERE failed_at IS NULL AND claimed_by IS NULL AND coalesce(run_at, created_at) < ${dueBefore}`
      // A job retried by hand keeps its error but has no tries.
      const retried = await db.first<RetriedJobs>`
        SELECT name, error, count(*) OVER () AS count, max(tries) OVER () AS most_tries FROM jobs
        WHERE failed_at IS NULL AND claimed_by IS NULL AND tries > 0 AND error IS NOT NULL
        ORDER BY id DESC LIMIT 1`
      return { failed, overdue: overdue?.count ?? 0, retried }
    },

    photos: async (db, most) => {
      const rows = await db.all<{ photo: string }>`
        SELECT photo FROM users WHERE photo IS NOT NULL ORDER BY id DESC LIMIT ${most}`
      const counted = await db.first<{ count: number }>`SELECT count(photo) AS count FROM users`
      return { count: counted?.count ?? 0, keys: rows.map(({ photo }) => photo) }
    },
  } satisfies Partial<Health>
}
