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
  return parts && Buffer.concat(parts)
}

const partsOf: Readonly<Record<PhotoExtension, (bytes: Buffer) => Buffer[] | undefined>> = {
  png: pngParts,
  jpg: jpegParts,
  webp: webpParts,
}
