import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../../../base/error-code.ts'
import { addresses } from '../address.ts'

/** What prevents this user from reading and writing a database. */
export interface Unwritable {
  /** What this user may not do, or why: a sentence without its full stop. */
  readonly finding: string
  /** What to do, as part of a sentence. */
  readonly advice: string
  /** Whether nobody at all may write there. */
  readonly isReadOnly: boolean
}

/**
 * Checks the database's files and their folder for the first that this user may not read and write; undefined if there
 * is none.
 */
export function unwritable(file: string): Unwritable | undefined {
  // The log and its index lie beside the file itself, not beside a link to it.
  const real = existsSync(file) ? realpathSync(file) : file
  const folder = dirname(real)
  const names = new Map(addresses.filesOf({ file: real }).map((path) => [path, path]))
  for (const [path, name] of names.set(folder, `the folder ${folder}`)) {
    const code = whyClosed(path)
    if (code !== undefined) return explain(name, code)
  }
  return undefined
}

/** Returns the refusal's error code. undefined for a missing file too: its folder decides whether it can be created. */
function whyClosed(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    const code = errorCode(error)
    return code === 'ENOENT' ? undefined : code
  }
}

function explain(name: string, code: string): Unwritable {
  if (code === 'EROFS')
    return {
      finding: `${name} is on a disk that is mounted read-only`,
      // ext4 remounts a disk read-only after errors.
      advice: `mount the disk of ${name} for writing again, once \`dmesg\` tells of no errors on it`,
      isReadOnly: true,
    }
  return {
    finding: `This user may not read and write ${name}`,
    advice: `let this user read and write ${name}`,
    isReadOnly: false,
  }
}
