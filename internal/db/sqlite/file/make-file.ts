import { closeSync, existsSync, openSync, realpathSync, statSync } from 'node:fs'
import { errorCode } from '../../../base/error-code.ts'
import { isFilled } from './named.ts'
import { unwritable } from './unwritable.ts'

/**
 * Creates the file, readable only by its owner, since it holds password hashes. False if it exists already. Throws if
 * the log of a missing database has been left there.
 */
export function makeFile(file: string): boolean {
  const log = orphanedLog(file)
  if (log !== undefined)
    throw new Error(
      `There is no database ${file}, but its log ${log}, which holds changes: put the database back beside it, or move the log away to begin without them.`,
    )
  try {
    // Never opens an existing file: closing it would drop the locks that this process holds on it (POSIX).
    closeSync(openSync(file, 'wx', 0o600))
    return true
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    if (statSync(file).isDirectory())
      throw Object.assign(new Error('is a folder', { cause: error }), { code: 'EISDIR' })
    if (unwritable(file) !== undefined)
      throw Object.assign(new Error('cannot be written', { cause: error }), { code: 'EACCES' })
    return false
  }
}

/**
 * Returns the log of a database that is missing or empty: SQLite would delete it, with changes that may be nowhere
 * else. undefined if there is none.
 */
export function orphanedLog(file: string): string | undefined {
  const real = existsSync(file) ? realpathSync(file) : file
  const log = `${real}-wal`
  // The log first: a new one is filled only after its database is.
  return isFilled(log) && !isFilled(real) ? log : undefined
}
