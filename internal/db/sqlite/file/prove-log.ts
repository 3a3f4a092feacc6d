import { realpathSync, statSync } from 'node:fs'

/**
 * Throws if the log was deleted while another process has it open. This process has then created an empty log but
 * shares the index, which describes the deleted one: it would append after missing pages, and checkpoint those into
 * the file.
 */
export function proveLog(
  connection: { pragma: (statement: string) => unknown },
  file: string,
): void {
  if (statSync(`${realpathSync(file)}-wal`, { throwIfNoEntry: false })?.size !== 0) return
  // Does nothing if the index describes an empty log, and fails at the first missing page.
  const [checkpoint] = connection.pragma('wal_checkpoint(PASSIVE)') as { busy: number }[]
  if (checkpoint?.busy === 1)
    throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
}
