import { crc32 } from 'node:zlib'
import { mostParts } from './most-parts.ts'
import { exifOf, orientationOf } from './orientation.ts'

/** The chunks that a picture, a moving one too, and its colours are drawn from (PNG, third edition, 11). */
const drawn = new Set(
  'IHDR PLTE IDAT IEND tRNS gAMA cHRM sRGB iCCP cICP mDCV cLLI acTL fcTL fdAT'.split(' '),
)

/** What is kept of a PNG: its signature and those chunks, and of `eXIf` which way it lies. */
export function pngParts(bytes: Buffer): Buffer[] {
  const parts = [bytes.subarray(0, 8)]
  for (let at = 8, seen = 0; at + 8 <= bytes.length && seen < mostParts; seen++) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString('latin1', at + 4, at + 8)
    const end = at + 12 + length
    if (drawn.has(type)) parts.push(bytes.subarray(at, end))
    if (type === 'eXIf') parts.push(...turned(bytes.subarray(at + 8, at + 8 + length)))
    if (type === 'IEND') break
    at = end
  }
  return parts
}

function turned(exif: Buffer): Buffer[] {
  const orientation = orientationOf(exif)
  if (orientation === undefined) return []
  const checked = Buffer.concat([Buffer.from('eXIf'), exifOf(orientation)])
  return [numberOf(checked.length - 4), checked, numberOf(crc32(checked))]
}

function numberOf(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
