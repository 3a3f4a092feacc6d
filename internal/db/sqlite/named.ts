import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { DatabaseBusy } from '../db.ts'

/**
 * Throws `DatabaseBusy` while a file that is open does not stand under its name: what was written to it then would be lost
 * as it is closed. SQLite asks for that itself but where it keeps a log.
 */
export function namedStill(path: string): () => void {
  const file = resolve(path)
  const opened = inodeOf(file)
  return () => {
    if (inodeOf(file) === opened) return
    throw new DatabaseBusy(
      `The file ${file} was moved away or replaced: put back the one that is open, or start the server again with this one.`,
    )
  }
}

/** undefined where there is no file of this name. */
export function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino
}
