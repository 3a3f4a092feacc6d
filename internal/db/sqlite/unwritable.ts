import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { addresses } from './address.ts'

/**
 * The first of the files and the folder of a database that this user may not read and write, as a sentence names it;
 * undefined when there is none.
 */
export function unwritable(file: string): string | undefined {
  // Where a link leads to, what is beside the database lies beside that.
  const real = existsSync(file) ? realpathSync(file) : file
  const closed = addresses.filesOf({ file: real }).find(isClosed)
  if (closed !== undefined) return closed
  return isClosed(dirname(real)) ? `the folder ${dirname(real)}` : undefined
}

/** What is not there is made: whether it can be is up to the folder. */
function isClosed(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}
