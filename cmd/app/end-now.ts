import { isSea } from 'node:sea'
import { environment } from '../../internal/base/settings/config.ts'

/** `argv[0]` of the run that takes the place of this one, only to end. */
const nameOfEnd = 'end of app'

/**
 * Ends the program at once. `process.exit` waits for every thread, for ever if one reads a disk that does not answer.
 * While a thread may be doing so, the process starts the program anew in its own place (`execve`), which ends the
 * threads, and that run exits with `code`.
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
 * Closes neither standard output nor standard error: a thread that is opening a file could get the freed descriptor,
 * and would hold it for as long as it hangs.
 */
function replace(code: 0 | 2): void {
  try {
    // The file that is running, even if another build was put in its place since.
    const program = process.platform === 'linux' ? '/proc/self/exe' : process.execPath
    process.execve?.(program, [nameOfEnd, String(code)], environment())
  } catch {
    // `process.exit` is left, which waits.
  }
}
