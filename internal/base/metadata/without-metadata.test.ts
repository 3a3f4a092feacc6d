import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../testing/chromium/chromium.ts'
import { renderPhotos } from '../../testing/chromium/render-photos.ts'
import {
  jpegWith,
  pngWith,
  profileChunk,
  riffChunk,
  segmentOf,
} from '../../testing/formats/photo-parts.ts'
import { jpeg, png, turnedBy, webp, withEveryPart } from '../../testing/formats/photos.ts'
import { withoutMetadata } from './without-metadata.ts'

const chromium = chromiumOfFile()
const extensions = ['jpg', 'png', 'webp'] as const

/** Photos with all the metadata a camera may add: place, time, camera, owner and a preview. */
const placed = extensions.map((extension) => readFileSync(`testdata/photos/placed.${extension}`))
const [jpg = Buffer.alloc(0)] = placed

/** Traces of metadata in the fixtures: its texts, and the names of the formats that carry it. */
const telling =
  /Tell|TT0815|2026|GPS|http|photoshop|8BIM|IPTC|JFXX|MPF|XML|xmp|tEXt|zTXt|iTXt|tIME/i

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

/** Returns what is kept of an acceptable photo. */
function keptOf(photo: Uint8Array): Uint8Array {
  const kept = withoutMetadata(photo)
  if (!kept) throw new Error('The photo has more parts than are looked at.')
  return kept
}

/** Returns the names that the parts of a fixture contain. */
function partsIn(photo: Uint8Array): string[] {
  return [...textOf(photo).matchAll(/<([\w ]+)>/g)].map(([, name = '']) => name)
}

/** Returns what a browser draws of each photo. */
function drawn(photos: readonly Uint8Array[]) {
  return renderPhotos(chromium(), photos)
}

test('place, camera, owner, time and comments are removed from every format', () => {
  const hadMetadata = placed.map((photo) => telling.test(textOf(photo)))
  const kept = placed.map(keptOf)
  expect(hadMetadata).toEqual([true, true, true])
  expect(kept.map((photo) => telling.exec(textOf(photo))?.[0])).toEqual([
    undefined,
    undefined,
    undefined,
  ])
  expect(placed.map(({ length }) => length)).toEqual([5664, 2101, 4182])
  expect(kept.map(({ length }) => length)).toEqual([1099, 396, 460])
})

test('a browser draws a photo without its metadata exactly as before, in the same orientation', async () => {
  const before = await drawn(placed)
  const after = await drawn(placed.map(keptOf))
  expect(after.map(({ size }) => size)).toEqual(before.map(({ size }) => size))
  expect(after.map(({ pixels }, n) => pixels === before[n]?.pixels)).toEqual([true, true, true])
  // They lie on their side, as Chromium reads from JPEG and PNG.
  expect(before.map(({ size }) => size[0])).toEqual([64, 64, 96])
})

test('each of the eight orientations is preserved, in either byte order', async () => {
  const orientations = [1, 2, 3, 4, 5, 6, 7, 8]
  const photos = orientations.flatMap((orientation) => [
    turnedBy(jpg, orientation),
    turnedBy(jpg, orientation, 'II'),
  ])
  const before = await drawn(photos)
  const after = await drawn(photos.map(keptOf))
  expect(new Set(before.map(({ pixels }) => pixels)).size).toBe(8)
  expect(after.map(({ pixels }, n) => pixels === before[n]?.pixels)).toEqual(photos.map(() => true))
})

test('a photo without metadata stays the same to the byte', () => {
  const made = extensions.map((extension) => readFileSync(`testdata/photos/photo.${extension}`))
  const photos = [...made, png(), jpeg(), webp()]
  expect(photos.map((photo) => Buffer.compare(photo, keptOf(photo)))).toEqual(photos.map(() => 0))
})

function isSamePlace(one: Uint8Array, other: Uint8Array): boolean {
  return one.buffer === other.buffer && one.byteOffset === other.byteOffset
}

test('a PNG or JPEG that needs no change is not copied', () => {
  const photos = [png(), readFileSync('testdata/photos/photo.png')]
  photos.push(jpeg(), readFileSync('testdata/photos/photo.jpg'))
  expect(photos.map((photo) => isSamePlace(keptOf(photo), photo))).toEqual(photos.map(() => true))
})

test('anything after the end of the picture is removed', async () => {
  const tail = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42 Tell of us'), jpg])
  const long = placed.map((photo) => Buffer.concat([photo, tail]))
  expect(long.map(keptOf)).toEqual(placed.map(keptOf))
})

test('previews and all parts that are not drawn are removed, while colours and animation stay', () => {
  const photos = withEveryPart()
  expect(photos.map(({ photo }) => partsIn(keptOf(photo)))).toEqual(
    photos.map(({ drawn }) => drawn),
  )
  expect(photos.map(({ photo }) => partsIn(photo).length)).toEqual([22, 18, 8])
})

/** Returns a photo of each format with this text as its colour profile's signature, validly `acsp`. */
function coloured(signature: string): Buffer[] {
  const profile = `${'\0'.repeat(36)}${signature}<colours>`
  const first = Buffer.from(`ICC_PROFILE\0\x01\x02${profile}`, 'latin1')
  // The profile's second segment, which may come first.
  const second = Buffer.from('ICC_PROFILE\0\x02\x02<more colours>', 'latin1')
  const chunks = [riffChunk('VP8X', `\x20${'\0'.repeat(9)}`), riffChunk('ICCP', profile)]
  return [
    pngWith(png(), profileChunk(profile)),
    jpegWith(jpeg(), segmentOf(0xe2, second), segmentOf(0xe2, first)),
    riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]).toString('latin1')),
  ]
}

test('a valid colour profile is preserved, and anything else in its place is removed', () => {
  expect(coloured('acsp').map((photo) => Buffer.compare(photo, keptOf(photo)))).toEqual([0, 0, 0])
  expect(coloured('<no>').map(keptOf)).toEqual([png(), jpeg(), webp()])
})

test('a photo cut off at any byte keeps no metadata and causes no error', () => {
  const cuts = placed.flatMap((photo) =>
    Array.from({ length: photo.length - 12 }, (_, n) => photo.subarray(0, 12 + n)),
  )
  expect(cuts.filter((cut) => telling.test(textOf(keptOf(cut))))).toEqual([])
})

test('a photo with any byte changed does not grow and causes no error', () => {
  const changed = placed.flatMap((photo) =>
    Array.from({ length: photo.length - 12 }, (_, n) => {
      const bytes = Buffer.from(photo)
      bytes.writeUInt8(bytes.readUInt8(12 + n) ^ 0xff, 12 + n)
      return bytes
    }),
  )
  const grown = changed.filter((photo) => keptOf(photo).length > photo.length)
  expect([changed.length, grown]).toEqual([11_911, []])
})

test('a file that only begins like a photo is cut to that beginning', () => {
  const html = '\x89PNG\r\n\x1a\n<html><script>alert(1)</script>'
  expect(textOf(keptOf(Buffer.from(html, 'latin1')))).toBe('\x89PNG\r\n\x1a\n')
  const film = Buffer.from('\xff\xd8\xff\xe0\0\x04ab\xff\xd8<html>', 'latin1')
  expect(textOf(keptOf(film))).toBe('\xff\xd8\xff\xd9')
  const riff = Buffer.from('RIFF\xff\xff\xff\xffWEBP<html>alert', 'latin1')
  expect(textOf(keptOf(riff))).toBe('RIFF\x04\0\0\0WEBP')
})

function many(count: number, kept: string, part: string): Buffer {
  return Buffer.from(kept + part.repeat(count), 'latin1')
}

test('a photo of 10,000 parts is accepted, and one with more is refused', () => {
  const riff = 'RIFF\xff\xff\xff\x00WEBP'
  const ofParts = (count: number) => [
    many(count, '\xff\xd8', '\xff\xdb\0\x02'),
    // Segments that are dropped count too.
    many(count, '\xff\xd8', '\xff\xe0\0\x02'),
    many(count, '\x89PNG\r\n\x1a\n', '\0\0\0\0IDAT\0\0\0\0'),
    many(count, riff, 'VP8 \0\0\0\0'),
    // A frame that makes up that many chunks with those inside.
    many(count - 1, `${riff}ANMF\x00\x00\x20\x00${'\0'.repeat(16)}`, 'VP8 \0\0\0\0'),
  ]
  expect(ofParts(10_000).map((photo) => withoutMetadata(photo)?.length)).toEqual([
    2 + 4 * 10_000,
    // No segment stays: its beginning and its end.
    2 + 2,
    8 + 12 * 10_000,
    12 + 8 * 10_000,
    12 + 24 + 8 * 9_999,
  ])
  const none = Array.from({ length: 5 }, () => undefined)
  expect(ofParts(10_001).map(withoutMetadata)).toEqual(none)
  expect(ofParts(2 ** 18).map(withoutMetadata)).toEqual(none)
})
