import { realpathSync, statSync } from 'node:fs'

/**
 * Throws where the log was deleted while another process has it open. This process has then made an empty log, but
 * shares the index, which describes the deleted one: it would write behind pages that are missing, and move those into
 * the file.
 */
export function proveLog(
  connection: { pragma: (statement: string) => unknown },
  file: string,
): void {
  if (statSync(`${realpathSync(file)}-wal`, { throwIfNoEntry: false })?.size !== 0) return
  // Does nothing where the index describes an empty log, and fails at the first page that is missing.
  const [checkpoint] = connection.pragma('wal_checkpoint(PASSIVE)') as { busy: number }[]
  if (checkpoint?.busy === 1)
    throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
}
