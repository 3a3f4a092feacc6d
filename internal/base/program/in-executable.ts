import { getAssetKeys, getRawAsset } from 'node:sea'
import { type Places, readPart, running } from './own-file.ts'

/** The embedded file in which the build says where the large files lie in the executable. */
export const placesFile = 'places.json'

/** What the build put into the executable that runs (`Embedded`). */
export const inExecutable = {
  read: (name: string): Uint8Array => new Uint8Array(getRawAsset(name)),
  withContent<Result>(name: string, use: (content: Buffer) => Result): Result {
    const places = JSON.parse(Buffer.from(getRawAsset(placesFile)).toString()) as Places
    // Only Linux has a path that always leads to the running file. By another, somebody could have us run their file.
    const content = process.platform === 'linux' ? readPart(running, places, name) : undefined
    if (!content) return use(Buffer.from(getRawAsset(name)))
    try {
      return use(content)
    } finally {
      // Frees the memory at once, not when the garbage collector comes to it.
      ;(content.buffer as ArrayBuffer).transfer(0)
    }
  },
  names: (): string[] => getAssetKeys(),
}
