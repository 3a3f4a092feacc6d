import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Where large parts lie in the executable that contains them, as the build writes it into that file. */
export interface Places {
  /**
   * Bytes of the whole file. If its size differs, as after adding a signature, the parts may lie elsewhere.
   */
  readonly size: number
  /** By name, in bytes. */
  readonly parts: Readonly<Record<string, readonly [offset: number, length: number]>>
}

/** The file that this process runs on Linux, even if another file has its name by now (`man 5 proc`). */
export const running = '/proc/self/exe'

/** Reads a part of the file. Returns undefined if there is no such part or file, or it is another file. */
export function readPart(file: string, { size, parts }: Places, name: string): Buffer | undefined {
  const range = parts[name]
  const descriptor = range ? openedFor(file) : undefined
  if (range === undefined || descriptor === undefined) return undefined
  try {
    if (fstatSync(descriptor).size !== size) return undefined
    const [offset, length] = range
    // In an ArrayBuffer of its own, which can be freed.
    const content = Buffer.from(new ArrayBuffer(length))
    return readSync(descriptor, content, 0, length, offset) === length ? content : undefined
  } finally {
    closeSync(descriptor)
  }
}

function openedFor(file: string): number | undefined {
  try {
    return openSync(file, 'r')
  } catch {
    // Not an error: the caller reads the mapped executable instead.
    return undefined
  }
}
