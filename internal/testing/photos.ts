import { crc32, deflateSync } from 'node:zlib'
import type { Chosen } from './browser.ts'

/** Photos of our own making: whole where a browser may draw them, else as much of one as tells what it is. */

/** A PNG of one grey. */
export function png(width = 1, height = 1): Buffer {
  const line = Buffer.alloc(width + 1, 0x99)
  line[0] = 0
  const header = Buffer.concat([numbers(width, height), Buffer.from([8, 0, 0, 0, 0])])
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => line)))
  return pngOf(header, pixels)
}

/** One that tells of this size, with no such pixels in it. */
export function pngHeader(width: number, height: number): Buffer {
  return pngOf(
    Buffer.concat([numbers(width, height), Buffer.from([8, 0, 0, 0, 0])]),
    deflateSync(''),
  )
}

/** A PNG of so many bytes. */
export function pngOfBytes(bytes: number): Buffer {
  const photo = Buffer.alloc(bytes)
  png().copy(photo)
  return photo
}

function pngOf(header: Uint8Array, pixels: Uint8Array): Buffer {
  const chunks = [
    ['IHDR', header],
    ['IDAT', pixels],
    ['IEND', new Uint8Array()],
  ] as const
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...chunks.map(chunkOf)])
}

function chunkOf([name, content]: readonly [string, Uint8Array]): Buffer {
  const checked = Buffer.concat([Buffer.from(name), content])
  return Buffer.concat([numbers(content.length), checked, numbers(crc32(checked))])
}

/** The beginning of a JPEG: its segments up to the one that tells its size. */
export function jpeg(width = 1, height = 1): Buffer {
  const app = Buffer.from('ffe0001044494600010100000100010000', 'hex')
  const frame = Buffer.from('ffc0000b0800000000010111000000', 'hex')
  frame.writeUInt16BE(height, 5)
  frame.writeUInt16BE(width, 7)
  return Buffer.concat([Buffer.from('ffd8', 'hex'), padded(app), frame])
}

// The segment says how long it is.
function padded(segment: Buffer): Buffer {
  return Buffer.concat([segment, Buffer.alloc(segment.readUInt16BE(2) + 2 - segment.length)])
}

/** The beginning of a WebP of the extended form. */
export function webp(width = 1, height = 1): Buffer {
  const chunk = Buffer.alloc(18)
  chunk.write('VP8X')
  chunk.writeUInt32LE(10, 4)
  chunk.writeUIntLE(width - 1, 12, 3)
  chunk.writeUIntLE(height - 1, 15, 3)
  const riff = Buffer.alloc(12)
  riff.write('RIFF')
  riff.writeUInt32LE(chunk.length + 4, 4)
  riff.write('WEBP', 8)
  return Buffer.concat([riff, chunk])
}

/** A photo as it is chosen in the form of the profile. What name and type say counts for nothing. */
export function chosen(content: Uint8Array, name = 'me.png', type = 'image/png'): Chosen {
  return { field: 'photo', name, type, content }
}

function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4)
  return bytes
}
