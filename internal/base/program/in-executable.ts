import { getAssetKeys, getRawAsset } from 'node:sea'
import { type Places, readPart, running } from './own-file.ts'

/** The embedded file with the places of the large files in the executable. */
export const placesFile = 'places.json'

/** The files that the build put into the running executable (`Embedded`). */
export const inExecutable = {
  read: (name: string): Uint8Array => new Uint8Array(getRawAsset(name)),
  withContent<Result>(name: string, use: (content: Buffer) => Result): Result {
    const places = JSON.parse(Buffer.from(getRawAsset(placesFile)).toString()) as Places
    // Only Linux has a path that always leads to the running file. Others could lead to a foreign one.
    const content = process.platform === 'linux' ? readPart(running, places, name) : undefined
    if (!content) return use(Buffer.from(getRawAsset(name)))
    try {
      return use(content)
    } finally {
      // Frees the memory at once, without waiting for the garbage collector.
      ;(content.buffer as ArrayBuffer).transfer(0)
    }
  },
  names: (): string[] => getAssetKeys(),
}
