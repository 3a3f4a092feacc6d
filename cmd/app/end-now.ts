import { isSea } from 'node:sea'
import { environment } from '../../internal/base/settings/config.ts'

/** The name that the run is started under which only ends. */
const nameOfEnd = 'end of app'

/**
 * Ends the program at once. `process.exit` waits for every thread, for ever where one looks at a disk that does not
 * answer: then another run takes the place of this one, threads and all, and ends with the same code.
 */
export function endNow(code: 0 | 2): never {
  if (isSea() && process.platform !== 'win32' && isAwaited()) replace(code)
  process.exit(code)
}

/** The code to end with, where this run has taken the place of one that could not end by itself. */
export function codeOfEnd(): number | undefined {
  return process.argv0 === nameOfEnd ? Number(process.argv[2]) : undefined
}

/** Whether a thread is at work on files or names. */
function isAwaited(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^(FSReq|Get(Addr|Name)Info)/.test(name))
}

/**
 * The outputs stay as they are: a thread that opens a file would be given the number of one that was closed, and keep
 * it for as long as it hangs.
 */
function replace(code: 0 | 2): void {
  try {
    // Itself, also when another build lies by now where it was started from.
    const program = process.platform === 'linux' ? '/proc/self/exe' : process.execPath
    process.execve?.(program, [nameOfEnd, String(code)], environment())
  } catch {
    // There is no other way then but to wait.
  }
}
