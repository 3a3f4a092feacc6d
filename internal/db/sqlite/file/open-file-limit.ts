import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../../../base/error-code.ts'

/** Whether the process or the machine has reached its limit of open files. */
export function isOutOfFiles(error: unknown): boolean {
  return /^E[MN]FILE$/.test(errorCode(error))
}

/** Returns the limit's own error if no more files can be opened: SQLite uses one code for this and other failures. */
export function orOutOfFiles(error: unknown, file: string): unknown {
  if (!errorCode(error).startsWith('SQLITE_CANTOPEN')) return error
  try {
    closeSync(openSync(dirname(file), 'r'))
    return error
  } catch (limit) {
    return isOutOfFiles(limit) ? limit : error
  }
}
