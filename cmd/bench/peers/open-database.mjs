import Database from 'better-sqlite3'

/** An SQLite file that keeps what is committed over a power cut, as that of the service does. */
export function openDatabase(file) {
  const db = new Database(file)
  db.pragma('journal_mode = WAL')
  db.pragma('synchronous = FULL')
  return db
}
