import { crc32, deflateSync } from 'node:zlib'

/** The parts of photos in the three formats, sound ones and others. */

/** A chunk of a PNG. */
export function chunkOf([name, content]: readonly [string, Uint8Array]): Buffer {
  const checked = Buffer.concat([Buffer.from(name), content])
  return Buffer.concat([numbers(content.length), checked, numbers(crc32(checked))])
}

/** Returns a copy of a chunk with a wrong checksum. */
export function unsound(chunk: Buffer): Buffer {
  const bytes = Buffer.from(chunk)
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
  return bytes
}

/** A segment of a JPEG. */
export function segmentOf(code: number, content: Uint8Array): Buffer {
  const length = content.length + 2
  return Buffer.concat([Buffer.from([0xff, code, length >> 8, length & 0xff]), content])
}

/** A chunk of a WebP. */
export function riffChunk(type: string, content: string): Buffer {
  const header = Buffer.alloc(8)
  header.write(type)
  header.writeUInt32LE(content.length, 4)
  return Buffer.concat([header, Buffer.from(content, 'latin1'), Buffer.alloc(content.length % 2)])
}

/** An entry of Exif data; its value is a two-byte number, or four raw bytes. */
export type ExifEntry = readonly [tag: number, type: number, count: number, value: number | Buffer]

/** Returns Exif data with these entries in this byte order. */
export function exifOf(entries: readonly ExifEntry[], order: 'II' | 'MM' = 'MM'): Buffer {
  const two = (value: number) => {
    const bytes = Buffer.alloc(2)
    return order === 'II'
      ? (bytes.writeUInt16LE(value), bytes)
      : (bytes.writeUInt16BE(value), bytes)
  }
  const four = (value: number) =>
    order === 'II' ? Buffer.concat([two(value), two(0)]) : Buffer.concat([two(0), two(value)])
  const listed = entries.flatMap(([tag, type, count, value]) => [
    two(tag),
    two(type),
    four(count),
    typeof value === 'number' ? Buffer.concat([two(value), two(0)]) : value,
  ])
  return Buffer.concat([
    Buffer.from(order),
    two(42),
    four(8),
    two(entries.length),
    ...listed,
    four(0),
  ])
}

/** Returns the JPEG segment that contains Exif data. */
export function exifSegment(exif: Uint8Array, name = 'Exif\0\0'): Buffer {
  return segmentOf(0xe1, Buffer.concat([Buffer.from(name, 'latin1'), exif]))
}

/** Returns the PNG chunk that contains a colour profile, under a recognizable name. */
export function profileChunk(profile: string): Buffer {
  const compressed = deflateSync(Buffer.from(profile, 'latin1'))
  return chunkOf(['iCCP', Buffer.concat([Buffer.from('<iCCP>\0\0'), compressed])])
}

/** Returns a JPEG with these segments before all others. */
export function jpegWith(photo: Buffer, ...segments: readonly Buffer[]): Buffer {
  return Buffer.concat([photo.subarray(0, 2), ...segments, photo.subarray(2)])
}

/** Returns a PNG with these chunks after its header. */
export function pngWith(photo: Buffer, ...chunks: readonly Buffer[]): Buffer {
  return Buffer.concat([photo.subarray(0, 33), ...chunks, photo.subarray(33)])
}

export function numbers(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value, at * 4)
  return bytes
}
