import { constants, crc32, inflateSync } from 'node:zlib'
import { isProfile } from './colour-profile.ts'
import { mostParts } from './most-parts.ts'
import { exifOf, orientationOf } from './orientation.ts'

/**
 * The chunks that a picture, even an animated one, and its colours are drawn from (PNG, third edition, 11).
 */
const drawn = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI acTL fcTL fdAT'.split(' '),
)

/**
 * Returns the parts of a PNG to keep: its signature, the `drawn` chunks, and the orientation in its first
 * sound `eXIf`, which browsers use. undefined: it has more chunks than `mostParts`.
 */
export function pngParts(bytes: Buffer): Buffer[] | undefined {
  const chunks = chunksOf(bytes)
  if (!chunks) return undefined
  const first = (type: string) => chunks.find((chunk) => chunk.type === type && isSound(chunk))
  const exif = first('eXIf')
  const profile = first('iCCP')
  const remaining = chunks.flatMap((chunk) => {
    if (chunk === exif) return turned(chunk)
    const isKept = chunk.type === 'iCCP' ? chunk === profile && holdsProfile(chunk) : isDrawn(chunk)
    return isKept ? [chunk.bytes] : []
  })
  return [bytes.subarray(0, 8), ...remaining]
}

interface Chunk {
  readonly type: string
  /** With the chunk's length, type and checksum. */
  readonly bytes: Buffer
}

function chunksOf(bytes: Buffer): Chunk[] | undefined {
  const chunks: Chunk[] = []
  for (let at = 8; at + 8 <= bytes.length;) {
    if (chunks.length === mostParts) return undefined
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + bytes.readUInt32BE(at)
    chunks.push({ type, bytes: bytes.subarray(at, end) })
    if (type === 'IEND') break
    at = end
  }
  return chunks
}

function isDrawn({ type }: Chunk): boolean {
  return drawn.has(type)
}

/** Returns whether the checksum is right: browsers skip an `eXIf` or `iCCP` whose checksum is wrong. */
function isSound({ bytes }: Chunk): boolean {
  const end = 8 + bytes.readUInt32BE(0)
  return end + 4 <= bytes.length && bytes.readUInt32BE(end) === crc32(bytes.subarray(4, end))
}

function turned({ bytes }: Chunk): Buffer[] {
  const orientation = orientationOf(bytes.subarray(8, -4))
  if (orientation === undefined) return []
  const checked = Buffer.concat([Buffer.from('eXIf'), exifOf(orientation)])
  return [numberOf(checked.length - 4), checked, numberOf(crc32(checked))]
}

// How many compressed bytes are inflated: far more than a profile's header takes, but not all of a large one.
const enough = 1024

/** Returns whether a chunk of name, zero, method and compressed bytes (PNG, 11.3.2.3) holds a profile. */
function holdsProfile({ bytes }: Chunk): boolean {
  const from = bytes.indexOf(0, 8) + 2
  const compressed = bytes.subarray(from, Math.min(from + enough, bytes.length - 4))
  try {
    return isProfile(inflateSync(compressed, { finishFlush: constants.Z_SYNC_FLUSH }))
  } catch {
    return false
  }
}

function numberOf(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
