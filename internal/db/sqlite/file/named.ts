import { statSync } from 'node:fs'

/** undefined where there is no file of this name. */
export function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino
}
