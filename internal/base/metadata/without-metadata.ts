import { extensionOf, type PhotoExtension } from '../photo.ts'
import { jpegParts } from './jpeg.ts'
import { pngParts } from './png.ts'
import { webpParts } from './webp.ts'

/**
 * A photo without what it tells beside the picture: where, when and with what it was taken, comments, previews, and
 * what comes after its end. Drawn it is the same, and the same way up (security rule 25). What is kept is listed, not
 * what is taken off; from where on the bytes make no sense, nothing is kept. undefined: it has more parts than any photo.
 */
export function withoutMetadata(content: Uint8Array): Uint8Array | undefined {
  const extension = extensionOf(content)
  if (!extension) throw new Error('The photo was not judged.')
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const parts = partsOf[extension](bytes)
  return parts && (isWhole(parts, bytes) ? bytes : Buffer.concat(parts))
}

/** Whether parts are all of a photo as they stand in it, so that it needs no copy. */
function isWhole(parts: readonly Buffer[], { buffer, byteOffset, length }: Buffer): boolean {
  let end = byteOffset
  for (const part of parts) {
    if (part.buffer !== buffer || part.byteOffset !== end) return false
    end += part.length
  }
  return end === byteOffset + length
}

const partsOf: Readonly<Record<PhotoExtension, (bytes: Buffer) => Buffer[] | undefined>> = {
  png: pngParts,
  jpg: jpegParts,
  webp: webpParts,
}
