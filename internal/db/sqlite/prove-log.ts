import { realpathSync, statSync } from 'node:fs'

/**
 * Where a log was deleted while another process has it open, this one has made an empty one, but shares the index of what
 * stands in the other: whatever it writes then is written behind nothing, and moves that nothing into the file.
 */
export function proveLog(
  connection: { pragma: (statement: string) => unknown },
  file: string,
): void {
  if (statSync(`${realpathSync(file)}-wal`, { throwIfNoEntry: false })?.size !== 0) return
  // Moves nothing where there is nothing to be moved, and fails at the first page that it does not find.
  const [told] = connection.pragma('wal_checkpoint(PASSIVE)') as { busy: number }[]
  if (told?.busy === 1)
    throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
}
