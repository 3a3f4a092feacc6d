import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorCode } from '../../base/error-code.ts'
import { addresses } from './address.ts'

/** What this user may not read and write of a database. */
export interface Unwritable {
  /** That it is so: a sentence without its end. */
  readonly finding: string
  /** What is to be done, as a sentence goes on with it. */
  readonly advice: string
  /** Whether nobody may write there, whoever runs the server. */
  readonly isReadOnly: boolean
}

/** The first of its files and its folder that is so; undefined when there is none. */
export function unwritable(file: string): Unwritable | undefined {
  // Where a link leads to, what is beside the database lies beside that.
  const real = existsSync(file) ? realpathSync(file) : file
  const folder = dirname(real)
  const names = new Map(addresses.filesOf({ file: real }).map((path) => [path, path]))
  for (const [path, name] of names.set(folder, `the folder ${folder}`)) {
    const code = whyClosed(path)
    if (code !== undefined) return toldOf(name, code)
  }
  return undefined
}

/** What is not there is made: whether it can be is up to the folder. */
function whyClosed(path: string): string | undefined {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return undefined
  } catch (error) {
    const code = errorCode(error)
    return code === 'ENOENT' ? undefined : code
  }
}

function toldOf(name: string, code: string): Unwritable {
  if (code === 'EROFS')
    return {
      finding: `${name} is on a disk that is mounted read-only`,
      // ext4 does so by itself.
      advice: `mount the disk of ${name} for writing again, once \`dmesg\` tells of no errors on it`,
      isReadOnly: true,
    }
  return {
    finding: `This user may not read and write ${name}`,
    advice: `let this user read and write ${name}`,
    isReadOnly: false,
  }
}
