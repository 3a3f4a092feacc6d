import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../../base/error-code.ts'

/** Whether the process, or the machine, has as many files open as it may. */
export function isOutOfFiles(error: unknown): boolean {
  return /^E[MN]FILE$/.test(errorCode(error))
}

/** Returns the error of the limit where no more files can be opened: SQLite has one code for this and for others. */
export function orOutOfFiles(error: unknown, file: string): unknown {
  if (!errorCode(error).startsWith('SQLITE_CANTOPEN')) return error
  try {
    closeSync(openSync(dirname(file), 'r'))
    return error
  } catch (limit) {
    return isOutOfFiles(limit) ? limit : error
  }
}
