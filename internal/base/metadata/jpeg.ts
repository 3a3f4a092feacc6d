import { isProfile } from './colour-profile.ts'
import { mostParts } from './most-parts.ts'
import { exifOf, orientationOf } from './orientation.ts'

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda
const emptyEnd = Buffer.from([0xff, endOfImage])

/**
 * Returns the parts of a JPEG to keep: the segments that it is drawn from, up to its end, and the orientation
 * in its first Exif data, which browsers use. undefined: it has more segments than `mostParts`.
 */
export function jpegParts(bytes: Buffer): Buffer[] | undefined {
  const segments = segmentsOf(bytes)
    .take(mostParts + 1)
    .toArray()
  if (segments.length > mostParts) return undefined
  const exif = segments.find(isExif)
  const profile = segments.find(beginsProfile)
  const hasProfile = profile !== undefined && isProfile(profile.subarray(18))
  const remaining = segments
    .map((segment) => {
      if (segment === exif) return turned(segment)
      return hasProfile || !isOfProfile(segment) ? keptOf(segment) : undefined
    })
    .filter((part) => part !== undefined)
  // An image of nothing ends at once, so that its first bytes still say that it is a JPEG.
  return [bytes.subarray(0, 2), ...(remaining.length > 0 ? remaining : [emptyEnd])]
}

/** Returns the segment with the dimensions of a JPEG (ITU T.81, B.2.2); undefined if there is none. */
export function frameOf(bytes: Buffer): Buffer | undefined {
  return segmentsOf(bytes).take(mostParts).find(isFrame)
}

function* segmentsOf(bytes: Buffer): Generator<Buffer, undefined> {
  let at = markerFrom(bytes, 2)
  while (at !== undefined) {
    const segment = segmentAt(bytes, at)
    if (!segment) return
    yield segment
    at = codeOf(segment) === endOfImage ? undefined : markerFrom(bytes, at + segment.length)
  }
}

/**
 * Finds the next marker that begins a segment or ends the image (ITU T.81, B.1.1): in a scan, some markers
 * stand for a byte or restart the decoder. Skips bytes between two segments: nothing is drawn from them.
 */
function markerFrom(bytes: Buffer, from: number): number | undefined {
  // Byte by byte: searching for the next 0xff costs far more where there are millions of them.
  for (let at = from; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue
    const code = bytes[at + 1] ?? 0
    if (code > 1 && code < 0xff && (code < 0xd0 || code > 0xd7)) return at
  }
  return undefined
}

/**
 * Returns the segment at a marker, with the data of the scan if it begins one; undefined if it exceeds the
 * bytes, or begins another image.
 */
function segmentAt(bytes: Buffer, at: number): Buffer | undefined {
  const code = bytes.readUInt8(at + 1)
  if (code === endOfImage) return bytes.subarray(at, at + 2)
  const length = at + 4 > bytes.length ? 0 : bytes.readUInt16BE(at + 2)
  const end = at + 2 + length
  if (code === startOfImage || length < 2 || end > bytes.length) return undefined
  return bytes.subarray(at, code === startOfScan ? (markerFrom(bytes, end) ?? bytes.length) : end)
}

function codeOf(segment: Buffer): number {
  return segment.readUInt8(1)
}

function isFrame(segment: Buffer): boolean {
  const code = codeOf(segment)
  return code >= 0xc0 && code <= 0xcf && code !== 0xc4 && code !== 0xc8 && code !== 0xcc
}

function begins(segment: Buffer, name: string): boolean {
  return segment.toString('latin1', 4, 4 + name.length) === name
}

/** Returns whether a segment is Exif: any byte may follow `Exif\0`, and then there must be data. */
function isExif(segment: Buffer): boolean {
  return codeOf(segment) === 0xe1 && segment.length > 10 && begins(segment, 'Exif\0')
}

/** Returns whether a segment is part of a profile, which may span several: the first with number 1 counts. */
function isOfProfile(segment: Buffer): boolean {
  return codeOf(segment) === 0xe2 && begins(segment, 'ICC_PROFILE\0')
}

function beginsProfile(segment: Buffer): boolean {
  return isOfProfile(segment) && segment[16] === 1
}

/**
 * Keeps tables, frames and scans whole, and of the application segments only those that define the colours.
 */
function keptOf(segment: Buffer): Buffer | undefined {
  const code = codeOf(segment)
  if ((code >= 0xc0 && code <= 0xcf) || (code >= endOfImage && code <= 0xdf)) return segment
  if (code === 0xe0 && begins(segment, 'JFIF\0')) return withoutPreview(segment)
  if (isOfProfile(segment)) return segment
  return code === 0xee && begins(segment, 'Adobe') ? cut(segment, 16) : undefined
}

/** Cuts off the preview, which follows the sixteen bytes of JFIF (ITU T.871, 10.1). */
function withoutPreview(segment: Buffer): Buffer | undefined {
  if (segment.length === 18 && segment.readUInt16BE(16) === 0) return segment
  const header = cut(segment, 18)
  header?.fill(0, 16)
  return header
}

/** Returns the first bytes of a segment, as a segment of that length. */
function cut(segment: Buffer, bytes: number): Buffer | undefined {
  if (segment.length < bytes) return undefined
  const shortened = Buffer.from(segment.subarray(0, bytes))
  shortened.writeUInt16BE(bytes - 2, 2)
  return shortened
}

function turned(exif: Buffer): Buffer | undefined {
  const orientation = orientationOf(exif.subarray(10))
  if (orientation === undefined) return undefined
  const segment = Buffer.concat([
    Buffer.from('\xff\xe1\0\0Exif\0\0', 'latin1'),
    exifOf(orientation),
  ])
  segment.writeUInt16BE(segment.length - 2, 2)
  return segment
}
