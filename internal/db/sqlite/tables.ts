import type { Connection } from './connection.ts'

/** The names of all tables but SQLite's own, whoever made them. */
export function tableNames(connection: Connection): string[] {
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
  return connection.prepare(sql).pluck().all() as string[]
}

/** A table of another program, whose file it is; undefined in a file of ours, or with nothing in it. */
export function foreignTable(connection: Connection): string | undefined {
  const names = tableNames(connection)
  return names.includes('migrations') ? undefined : names[0]
}

/** The keys of the photos that accounts have. */
export function photosOf(connection: Connection): string[] {
  const sql = 'SELECT photo FROM users WHERE photo IS NOT NULL ORDER BY id'
  return connection.prepare(sql).pluck().all() as string[]
}
