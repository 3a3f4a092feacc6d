import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** Where large parts lie in the file of the executable that carries them, as the build writes it into that file. */
export interface Places {
  /** Bytes of the whole file. In one of another size, as one that was signed since, they may lie elsewhere. */
  readonly size: number
  /** By name, in bytes. */
  readonly parts: Readonly<Record<string, readonly [offset: number, length: number]>>
}

/** The file that this process runs on Linux, by whichever name, also when that has another file by now (`man 5 proc`). */
export const running = '/proc/self/exe'

/** A part as it lies in the file. undefined where there is no such file, or it is another. */
export function readPart(file: string, { size, parts }: Places, name: string): Buffer | undefined {
  const place = parts[name]
  const opened = place ? openedFor(file) : undefined
  if (place === undefined || opened === undefined) return undefined
  try {
    if (fstatSync(opened).size !== size) return undefined
    const [offset, length] = place
    // Memory of its own, which can be given back.
    const content = Buffer.from(new ArrayBuffer(length))
    return readSync(opened, content, 0, length, offset) === length ? content : undefined
  } finally {
    closeSync(opened)
  }
}

function openedFor(file: string): number | undefined {
  try {
    return openSync(file, 'r')
  } catch {
    // What is mapped can be read all the same.
    return undefined
  }
}
