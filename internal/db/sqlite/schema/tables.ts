import type { Connection } from '../connection.ts'

/** Returns the names of all tables except SQLite's own, whoever created them. */
export function tableNames(connection: Connection): string[] {
  const sql = `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
  return connection.prepare(sql).pluck().all() as string[]
}

/** Returns a table of the other program that owns the file; undefined if the file is ours or empty. */
export function foreignTable(connection: Connection): string | undefined {
  const names = tableNames(connection)
  return names.includes('migrations') ? undefined : names[0]
}

/** Returns the file keys of all accounts' photos. */
export function photosOf(connection: Connection): string[] {
  const sql = 'SELECT photo FROM users WHERE photo IS NOT NULL ORDER BY id'
  return connection.prepare(sql).pluck().all() as string[]
}
