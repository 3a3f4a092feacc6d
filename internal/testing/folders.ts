import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Bytes: far more than all tests that run at once keep. */
const room = 2 * 1024 ** 3

/** For tests of what is left by a process that was killed: a commit takes as long there as it does for people. */
export const disk = tmpdir()

/** Where Linux keeps files in memory; undefined where there is little room, or no program may be run from there. */
const inMemory = isFit('/dev/shm') ? '/dev/shm' : undefined

/**
 * Where tests keep databases and photos. Waiting for a disk to keep each commit was most of a test, and whether it
 * has kept one shows only after a power cut.
 */
export const memory = inMemory ?? disk

function isFit(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
    const mount = mounts.map((line) => line.split(' ')).find(([, at]) => at === folder)
    return bavail * bsize >= room && !(mount?.[3] ?? 'noexec').split(',').includes('noexec')
  } catch {
    return false
  }
}
