import { isProfile } from './colour-profile.ts'
import { mostParts } from './most-parts.ts'
import { exifOf, orientationOf } from './orientation.ts'

/** The chunks that a picture, even an animated one, and its colours are drawn from (RFC 9649, 2.7). */
const drawn = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP'])
const drawnInFrame = new Set(['VP8 ', 'VP8L', 'ALPH'])

const hasProfile = 0x20
const isExif = 0x08
const isXmp = 0x04

/**
 * Returns the parts of a WebP to keep: the `drawn` chunks, and the orientation in its first `EXIF`. The flags
 * in its header are set to match. undefined: it has more chunks than `mostParts`.
 */
export function webpParts(bytes: Buffer): Buffer[] | undefined {
  const room = { left: mostParts }
  const chunks = chunksOf(bytes.subarray(12, 8 + bytes.readUInt32LE(4)), room)
  const ofPicture = chunks.filter(isDrawn)
  const remaining = ofPicture.map((chunk) => keptOf(chunk, room))
  if (room.left < 0) return undefined
  const [extended] = remaining
  if (extended?.toString('latin1', 0, 4) === 'VP8X' && extended.length > 8) {
    const flags = extended.readUInt8(8)
    const turning = flags & isExif ? turned(chunks) : []
    const keptFlags = ofPicture.some(({ type }) => type === 'ICCP') ? flags : flags & ~hasProfile
    extended.writeUInt8((keptFlags & ~isExif & ~isXmp) | (turning.length > 0 ? isExif : 0), 8)
    remaining.push(...turning)
  }
  const header = Buffer.from(bytes.subarray(0, 12))
  const length = remaining.reduce((sum, { length }) => sum + length, header.length)
  // A photo from which nothing is removed keeps the length it states, even if it was cut short.
  if (length !== bytes.length) header.writeUInt32LE(length - 8, 4)
  return [header, ...remaining]
}

interface Chunk {
  readonly type: string
  /** With the chunk's header and padding byte. */
  readonly bytes: Buffer
}

/** How many more chunks may be read, including those in frames; negative once there were too many. */
interface Room {
  left: number
}

function chunksOf(bytes: Buffer, room: Room): Chunk[] {
  const chunks: Chunk[] = []
  for (let at = 0; at + 4 <= bytes.length;) {
    room.left--
    if (room.left < 0) break
    const length = at + 8 <= bytes.length ? bytes.readUInt32LE(at + 4) : 0
    const end = at + 8 + length + (length % 2)
    chunks.push({ type: bytes.toString('latin1', at, at + 4), bytes: bytes.subarray(at, end) })
    at = end
  }
  return chunks
}

function isDrawn({ type, bytes }: Chunk): boolean {
  return drawn.has(type) && (type !== 'ICCP' || isProfile(bytes.subarray(8)))
}

function keptOf({ type, bytes }: Chunk, room: Room): Buffer {
  if (type === 'VP8X') return Buffer.from(bytes)
  // A frame has sixteen bytes of its own, then chunks.
  if (type !== 'ANMF' || bytes.length < 24) return bytes
  const chunks = chunksOf(bytes.subarray(24), room).filter(({ type }) => drawnInFrame.has(type))
  const frame = Buffer.concat([bytes.subarray(0, 24), ...chunks.map(({ bytes }) => bytes)])
  if (frame.length !== bytes.length) frame.writeUInt32LE(frame.length - 8, 4)
  return frame
}

/** Returns a chunk with the orientation in the first `EXIF` chunk, which some programs begin as in a JPEG. */
function turned(chunks: readonly Chunk[]): Buffer[] {
  const exif = chunks.find(({ type }) => type === 'EXIF')?.bytes.subarray(8)
  const isPrefixed = exif?.toString('latin1', 0, 6) === 'Exif\0\0'
  const orientation = exif && orientationOf(exif.subarray(isPrefixed ? 6 : 0))
  if (orientation === undefined) return []
  const chunk = Buffer.concat([Buffer.from('EXIF\0\0\0\0'), exifOf(orientation)])
  chunk.writeUInt32LE(chunk.length - 8, 4)
  return [chunk]
}
