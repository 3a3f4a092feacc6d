import { withoutWaiting, type Connection } from './connection.ts'

/**
 * Moves the whole log into the file, and cuts the log to nothing: otherwise older versions of pages, with what was
 * deleted since, stay in it until others overwrite them. False when another process reads from the log or writes to it.
 */
export function emptyLog(connection: Connection): boolean {
  return withoutWaiting(connection, () => {
    const [checkpoint] = connection.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    return checkpoint?.busy === 0
  })
}

const largest = 16 * 1024 * 1024

/**
 * Writes the file anew. `secure_delete` overwrites what is deleted where it stands; but where SQLite shares the rows of
 * a page out anew, it may leave copies of them in the free part of the page. False for a large file, which would hold
 * everybody up, and when another process writes.
 */
export function writeAnew(connection: Connection): boolean {
  const [pages, bytes] = ['page_count', 'page_size'].map((name) =>
    Number(connection.pragma(name, { simple: true })),
  )
  if (Number(pages) * Number(bytes) > largest) return false
  return withoutWaiting(connection, () => {
    // The temporary database of VACUUM: in a container there may be no folder for its file.
    connection.pragma('temp_store = MEMORY')
    connection.exec('VACUUM')
    return true
  })
}
