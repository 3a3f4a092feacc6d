import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { errorCode } from '../../base/error-code.ts'
import { emptyFolder } from './executable.ts'

/** Whether this user may mount one: root may, except in some containers. */
export const maySmallDisk =
  process.platform === 'linux' &&
  // CAP_SYS_ADMIN.
  (BigInt(`0x${/^CapEff:\s*(\w+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]}`) >>
    21n) %
    2n ===
    1n

/** Mounts a two-megabyte disk in memory, until the end of the test. */
export function smallDisk(): { folder: string; fill: () => void } {
  const folder = emptyFolder()
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder])
  onTestFinished(() => void execFileSync('umount', [folder]))
  return { folder, fill: () => fillUp(join(folder, 'filler')) }
}

/** Uses up every byte. */
function fillUp(path: string): void {
  const file = openSync(path, 'a')
  try {
    for (;;) writeSync(file, Buffer.alloc(4096))
  } catch (error) {
    if (errorCode(error) !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}
