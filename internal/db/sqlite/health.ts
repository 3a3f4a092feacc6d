import { accessSync, constants, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Db, Value } from '../db.ts'
import type { Health, JobCounts } from '../health.ts'
import { fileOf } from './address.ts'
import { openToLook, unkeptPragmas, type Connection } from './connection.ts'
import { damageIn, ranMigrations } from './copies.ts'
import { Statements } from './rows.ts'
import { dateOf } from './times.ts'

export const health: Health = {
  look(database) {
    const path = fileOf(database)
    const connection = openToLook(path, !isWritable(path))
    const { size, mode, uid } = statSync(path)
    const logBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0
    return {
      name: path,
      bytes: size,
      file: { mode, uid, logBytes },
      version: connection.prepare('SELECT sqlite_version()').pluck().get() as string,
      journalMode: connection.pragma('journal_mode', { simple: true }) as string,
      unkept: unkeptPragmas(connection),
      db: readingDb(connection),
      faults: (quick) => damageIn(connection, quick),
      ranMigrations: () => ranMigrations(connection),
      hasAccounts: () => hasTable(connection, 'users') && hasUsers(connection),
      close: () => connection.close(),
    }
  },

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

function hasTable(connection: Connection, name: string): boolean {
  const sql = `SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`
  return connection.prepare(sql).get(name) !== undefined
}

function hasUsers(connection: Connection): boolean {
  return connection.prepare('SELECT 1 FROM users LIMIT 1').get() !== undefined
}

/** Whoever may write leaves nothing beside the file; one who only reads would leave what shares it with writers. */
function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    accessSync(dirname(path), constants.W_OK)
    return true
  } catch {
    return false
  }
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
