import { withoutWaiting, type Connection } from '../connection.ts'

/**
 * Checkpoints the whole log and truncates it: otherwise older versions of pages, with data deleted since, stay in it
 * until overwritten. False if another process is reading from or writing to the log.
 */
export function emptyLog(connection: Connection): boolean {
  return withoutWaiting(connection, () => {
    const [checkpoint] = connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    return checkpoint?.busy === 0
  })
}

const largest = 16 * 1024 * 1024

/**
 * Rewrites the file. `secure_delete` overwrites deleted data in place, but when SQLite rearranges the rows of a page,
 * copies may stay in the page's free part. False for a large file, which would block everybody, or if another process
 * writes.
 */
export function writeAnew(connection: Connection): boolean {
  const [pages, bytes] = ['page_count', 'page_size'].map((name) =>
    Number(connection.pragma(name, { simple: true })),
  )
  if (Number(pages) * Number(bytes) > largest) return false
  return withoutWaiting(connection, () => {
    // For VACUUM's temporary database: a container may have no folder for its file.
    connection.pragma('temp_store = MEMORY')
    connection.exec('VACUUM')
    return true
  })
}
