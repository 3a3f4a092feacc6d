import { closeSync, openSync } from 'node:fs'
import { devNull } from 'node:os'
import { isSea } from 'node:sea'
import { environment } from '../../internal/base/settings/config.ts'

/**
 * Ends the program at once. `process.exit` waits for every thread, for ever where one looks at a disk that does not
 * answer: then another run takes the place of this one, threads and all, and ends with the same code.
 */
export function endNow(code: 0 | 2): never {
  if (isSea() && process.platform !== 'win32' && isAwaited()) replace(words[code])
  process.exit(code)
}

/** Whether a thread is at work on files or names. */
function isAwaited(): boolean {
  return process.getActiveResourcesInfo().some((name) => /^(FSReq|Get(Addr|Name)Info)/.test(name))
}

/** What that run is asked: the version, or what it does not know. */
const words = { 0: 'version', 2: 'nothing' } as const

function replace(word: string): void {
  try {
    for (const { fd } of [process.stdout, process.stderr]) silence(fd)
    // Itself, also when another build lies by now where it was started from.
    const program = process.platform === 'linux' ? '/proc/self/exe' : process.execPath
    process.execve?.(program, [process.argv0, word], environment())
  } catch {
    // There is no other way then but to wait.
  }
}

/** What is opened next has the number that was closed. */
function silence(output: number): void {
  closeSync(output)
  openSync(devNull, 'w')
}
