import { mostParts } from './most-parts.ts'
import { exifOf, orientationOf } from './orientation.ts'

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda

/** What is kept of a JPEG: the segments that it is drawn from, up to its end, and of Exif data which way it lies. */
export function jpegParts(bytes: Buffer): Buffer[] {
  const parts = [bytes.subarray(0, 2)]
  let at = markerFrom(bytes, 2)
  for (let seen = 0; at !== undefined && seen < mostParts; seen++) {
    const code = bytes.readUInt8(at + 1)
    if (code === endOfImage) parts.push(bytes.subarray(at, at + 2))
    const segment = segmentAt(bytes, at)
    // Another photo may begin where this one lacks its end.
    if (code === endOfImage || code === startOfImage || !segment) break
    const part = keptOf(code, segment)
    if (part) parts.push(part)
    at = markerFrom(bytes, at + segment.length)
  }
  return parts
}

/**
 * Where the next marker is that begins a segment, or the end of the image (ITU T.81, B.1.1): in a scan some stand for a
 * byte or restart the decoder. Of bytes between two segments nothing is drawn.
 */
function markerFrom(bytes: Buffer, from: number): number | undefined {
  // Byte by byte: a search for the next 0xff costs far more where there are millions of them.
  for (let at = from; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue
    const code = bytes[at + 1] ?? 0
    if (code > 1 && code < 0xff && (code < 0xd0 || code > 0xd7)) return at
  }
  return undefined
}

/** With what it scans, if it does. undefined: it goes beyond the photo. */
function segmentAt(bytes: Buffer, at: number): Buffer | undefined {
  const length = at + 4 > bytes.length ? 0 : bytes.readUInt16BE(at + 2)
  const end = at + 2 + length
  if (length < 2 || end > bytes.length) return undefined
  const isScan = bytes[at + 1] === startOfScan
  return bytes.subarray(at, isScan ? (markerFrom(bytes, end) ?? bytes.length) : end)
}

/** Tables, frames and scans whole, and of the segments of applications those that say what its colours are. */
function keptOf(code: number, segment: Buffer): Buffer | undefined {
  if ((code >= 0xc0 && code <= 0xcf) || (code >= startOfScan && code <= 0xdf)) return segment
  const begins = (name: string) => segment.toString('latin1', 4, 4 + name.length) === name
  if (code === 0xe0 && begins('JFIF\0')) return withoutPreview(segment)
  if (code === 0xe1 && begins('Exif\0\0')) return turned(segment.subarray(10))
  if (code === 0xe2 && begins('ICC_PROFILE\0')) return segment
  return code === 0xee && begins('Adobe') ? cut(segment, 16) : undefined
}

/** Which follows the sixteen bytes that JFIF has (ITU T.871, 10.1). */
function withoutPreview(segment: Buffer): Buffer | undefined {
  const kept = cut(segment, 18)
  kept?.fill(0, 16)
  return kept
}

/** So many of its first bytes, as a segment that is so long. */
function cut(segment: Buffer, bytes: number): Buffer | undefined {
  if (segment.length < bytes) return undefined
  const kept = Buffer.from(segment.subarray(0, bytes))
  kept.writeUInt16BE(bytes - 2, 2)
  return kept
}

function turned(exif: Buffer): Buffer | undefined {
  const orientation = orientationOf(exif)
  if (orientation === undefined) return undefined
  const segment = Buffer.concat([
    Buffer.from('\xff\xe1\0\0Exif\0\0', 'latin1'),
    exifOf(orientation),
  ])
  segment.writeUInt16BE(segment.length - 2, 2)
  return segment
}
