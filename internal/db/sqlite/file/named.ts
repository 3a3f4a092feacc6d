import { existsSync, readdirSync, readlinkSync, statSync } from 'node:fs'

/** undefined where there is no file of this name. */
export function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino
}

/** Whether there is a file of this name that is not empty. */
export function isFilled(file: string): boolean {
  return (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > 0
}

/**
 * Returns the present name of a file that this process has open. undefined if it was deleted, as by a move to another
 * disk, and where the system does not tell.
 */
export function nameOf(inode: bigint): string | undefined {
  const folder = '/proc/self/fd'
  if (!existsSync(folder)) return undefined
  return readdirSync(folder)
    .map((number) => targetOf(`${folder}/${number}`))
    .find((name) => inodeOf(name) === inode)
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link)
  } catch {
    // Closed meanwhile, like the folder itself.
    return ''
  }
}
