import { isSea } from 'node:sea'
import { environment } from '../../../internal/base/settings/config.ts'

/** `argv[0]` of the run that replaces this one only to end. */
const nameOfEndingRun = 'end of app'

/**
 * Ends the program at once. `process.exit` waits for every thread, for ever if one is reading from a disk that does
 * not answer. While that may be so, the process replaces itself with a new run of the program (`execve`), which ends
 * the threads, and that run exits with `code`.
 */
export function endNow(code: 0 | 2): never {
  if (isSea() && process.platform !== 'win32' && hasBusyThread()) replaceProcess(code)
  process.exit(code)
}

/** Returns the exit code to end with, if this run has replaced one that could not end by itself. */
export function exitCodeOfEndingRun(): number | undefined {
  return process.argv0 === nameOfEndingRun ? Number(process.argv[2]) : undefined
}

/** Whether a thread is working on files or name lookups. */
function hasBusyThread(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^(FSReq|Get(Addr|Name)Info)/.test(name))
}

/**
 * Closes neither standard output nor standard error: a thread that is opening a file could get the freed descriptor,
 * and would keep it as long as it hangs.
 */
function replaceProcess(code: 0 | 2): void {
  try {
    // The running file, even if it was replaced by another build since.
    const program = process.platform === 'linux' ? '/proc/self/exe' : process.execPath
    process.execve?.(program, [nameOfEndingRun, String(code)], environment())
  } catch {
    // Falls back to `process.exit`, which waits.
  }
}
