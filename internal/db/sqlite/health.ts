import type { Db, Value } from '../db.ts'
import type { Health, JobCounts, Look } from '../health.ts'
import { addresses, fileOf } from './address.ts'
import { openToLook, type Connection } from './connection.ts'
import { closedFile, fileFindings, integrityFindings, noFile, unwritableFile } from './findings.ts'
import { Statements } from './rows.ts'
import { dateOf } from './times.ts'
import { unwritable } from './unwritable.ts'

export const health: Health = {
  look: async (database) => {
    const path = fileOf(database)
    try {
      if (!(await addresses.isThere(database))) return { result: 'none', finding: noFile(path) }
      const closed = unwritable(path)
      if (closed !== undefined) return { result: 'closed', finding: unwritableFile(closed) }
      return { result: 'open', look: lookAt(path) }
    } catch (error) {
      return { result: 'closed', finding: closedFile(path, error) }
    }
  },

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

  lastWritten: async (db) => {
    const rows = await db.all<{ at: string | null }>`
      SELECT max(created_at) AS at FROM users
      UNION ALL SELECT max(last_seen_at) FROM logins
      UNION ALL SELECT max(created_at) FROM notifications
      UNION ALL SELECT max(created_at) FROM jobs
      UNION ALL SELECT max(ran_at) FROM migrations`
    // What max() makes of a column has no declared type.
    const latest = rows
      .flatMap(({ at }) => at ?? [])
      .toSorted()
      .at(-1)
    return latest === undefined ? undefined : dateOf(latest)
  },

  photos: async (db, most) => {
    const rows = await db.all<{ photo: string }>`
      SELECT photo FROM users WHERE photo IS NOT NULL ORDER BY id DESC LIMIT ${most}`
    const all = await db.first<{ count: number }>`SELECT count(photo) AS count FROM users`
    return { count: all?.count ?? 0, keys: rows.map(({ photo }) => photo) }
  },
}

function lookAt(path: string): Look {
  const connection = openToLook(path)
  try {
    // Reads the file, which to open it does not.
    connection.pragma('journal_mode')
  } catch (error) {
    connection.close()
    throw error
  }
  return {
    db: readingDb(connection),
    findings: async () => fileFindings(path, connection),
    integrity: async () => integrityFindings(path, connection),
    close: async () => void connection.close(),
  }
}

async function hasTable(db: Db, name: string): Promise<boolean> {
  const found = await db.first`
    SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ${name}`
  return found !== undefined
}

function readingDb(connection: Connection): Db {
  const statements = new Statements(connection)
  return {
    first: async <Row>(sql: TemplateStringsArray, ...values: Value[]) =>
      statements.of(sql).first(values) as Row | undefined,
    all: async <Row>(sql: TemplateStringsArray, ...values: Value[]) =>
      statements.of(sql).all(values) as Row[],
    run: async (sql, ...values) => statements.of(sql).run(values),
  }
}
