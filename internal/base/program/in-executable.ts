import { getAssetKeys, getRawAsset } from 'node:sea'
import { type Places, readPart, running } from './own-file.ts'

/** Where the build says which large files lie where in the executable. */
export const placesFile = 'places.json'

/** What the build put into the executable that runs (`Embedded`). */
export const inExecutable = {
  read: (name: string): Uint8Array => new Uint8Array(getRawAsset(name)),
  withContent<Result>(name: string, use: (content: Buffer) => Result): Result {
    const places = JSON.parse(Buffer.from(getRawAsset(placesFile)).toString()) as Places
    // Elsewhere anybody could put a file there, and have it run.
    const content = process.platform === 'linux' ? readPart(running, places, name) : undefined
    if (!content) return use(Buffer.from(getRawAsset(name)))
    try {
      return use(content)
    } finally {
      // Given back at once, and not when the collector comes to it.
      ;(content.buffer as ArrayBuffer).transfer(0)
    }
  },
  names: (): string[] => getAssetKeys(),
}
