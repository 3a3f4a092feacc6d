const tag = 0x0112
const short = 3

/**
 * Returns the orientation of a photo, from 2 to 8, by its Exif data (Exif 3.0, 4.6.5: a TIFF header, and
 * entries of twelve bytes each); undefined if there is none, or the photo is upright. As in browsers, the
 * first valid entry counts.
 */
export function orientationOf(exif: Buffer): number | undefined {
  const order = exif.toString('latin1', 0, 4)
  if (exif.length < 8 || (order !== 'II*\0' && order !== 'MM\0*')) return undefined
  const two = (at: number) => (order === 'II*\0' ? exif.readUInt16LE(at) : exif.readUInt16BE(at))
  const four = (at: number) => (order === 'II*\0' ? exif.readUInt32LE(at) : exif.readUInt32BE(at))
  const start = four(4)
  if (start + 2 > exif.length) return undefined
  const end = Math.min(start + 2 + 12 * two(start), exif.length - 11)
  for (let at = start + 2; at < end; at += 12) {
    if (two(at) !== tag || two(at + 2) !== short || four(at + 4) !== 1) continue
    const orientation = two(at + 8)
    if (orientation >= 1 && orientation <= 8) return orientation === 1 ? undefined : orientation
  }
  return undefined
}

/** Makes Exif data that holds nothing but the orientation. */
export function exifOf(orientation: number): Buffer {
  const exif = Buffer.from(
    'MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0',
    'latin1',
  )
  exif.writeUInt16BE(orientation, 18)
  return exif
}
