import Database from 'better-sqlite3'

/** Opens an SQLite file whose commits survive a power cut, like the service's. */
export function openDatabase(file) {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  return db
}
