import { extensionOf, type PhotoExtension } from '../photo.ts'
import { jpegParts } from './jpeg.ts'
import { pngParts } from './png.ts'
import { webpParts } from './webp.ts'

/**
 * Returns a photo without all that is not the picture: where, when and with what it was taken, comments,
 * previews, and what follows its end. It looks the same, and is the same way up (security rule 25). The parts
 * to keep are listed, not those to remove; everything from the first unreadable part on is dropped.
 * undefined: it has more than `mostParts`.
 */
export function withoutMetadata(content: Uint8Array): Uint8Array | undefined {
  const extension = extensionOf(content)
  if (!extension) throw new Error('The photo was not judged.')
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  const parts = partsOf[extension](bytes)
  return parts && (isWhole(parts, bytes) ? bytes : Buffer.concat(parts))
}

/** Returns whether the parts are the whole photo, unchanged and in order, so that no copy is needed. */
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
