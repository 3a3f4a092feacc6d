import { readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** Bytes: far more than all concurrent tests store. */
const minimumBytes = 2 * 1024 ** 3

/** A folder on disk, for tests of what a killed process leaves: a commit takes as long there as in production. */
export const disk = tmpdir()

/** Where Linux keeps files in memory; undefined if there is little room, or no program may be run from there. */
const memoryFolder = isFit('/dev/shm') ? '/dev/shm' : undefined

/**
 * Where tests keep databases and photos: in memory if possible. Waiting for a disk was most of a test's time, and
 * whether a disk has stored a commit shows only after a power cut.
 */
export const memory = memoryFolder ?? disk

function isFit(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder)
    const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
    const mount = mounts.map((line) => line.split(' ')).find(([, at]) => at === folder)
    return bavail * bsize >= minimumBytes && !(mount?.[3] ?? 'noexec').split(',').includes('noexec')
  } catch {
    return false
  }
}
