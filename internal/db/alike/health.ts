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
      // One that was retried by hand keeps its error, and has no tries.
      const counts = await db.first<JobCounts>`
        WITH retried AS (
          SELECT id, name, tries, error FROM jobs
          WHERE failed_at IS NULL AND claimed_by IS NULL AND tries > 0 AND error IS NOT NULL)
        SELECT
          (SELECT count(*) FROM jobs WHERE failed_at IS NOT NULL) AS failed,
          (SELECT name FROM jobs WHERE failed_at IS NOT NULL ORDER BY failed_at DESC LIMIT 1) AS last_failed,
          (SELECT count(*) FROM jobs
            WHERE failed_at IS NULL AND claimed_by IS NULL
              AND coalesce(run_at, created_at) < ${dueBefore}) AS overdue,
          (SELECT count(*) FROM retried) AS retried,
          (SELECT coalesce(max(tries), 0) FROM retried) AS most_tries,
          (SELECT name FROM retried ORDER BY id DESC LIMIT 1) AS newest_retried,
          (SELECT error FROM retried ORDER BY id DESC LIMIT 1) AS newest_error`
      return counts ?? noJobs
    },

    photos: async (db, most) => {
      const rows = await db.all<{ photo: string }>`
        SELECT photo FROM users WHERE photo IS NOT NULL ORDER BY id DESC LIMIT ${most}`
      const all = await db.first<{ count: number }>`SELECT count(photo) AS count FROM users`
      return { count: all?.count ?? 0, keys: rows.map(({ photo }) => photo) }
    },
  } satisfies Partial<Health>
}

const noJobs: JobCounts = {
  failed: 0,
  lastFailed: null,
  overdue: 0,
  retried: 0,
  mostTries: 0,
  newestRetried: null,
  newestError: null,
}
