import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../testing/chromium/chromium.ts'
import { renderPhotos } from '../../testing/chromium/render-photos.ts'
import {
  chunkOf,
  exifOf,
  exifSegment,
  jpegWith,
  pngWith,
  unsound,
  type ExifEntry,
} from '../../testing/formats/photo-parts.ts'
import { withoutMetadata } from './without-metadata.ts'

const chromium = chromiumOfFile()
const [jpg, png] = ['jpg', 'png'].map((extension) =>
  readFileSync(`testdata/photos/photo.${extension}`),
) as [Buffer, Buffer]

/** Returns an entry of Exif data that states this orientation. */
function orientationEntry(value: number, { type = 3, count = 1 } = {}): ExifEntry {
  return [0x0112, type, count, value]
}

const upright = exifOf([orientationEntry(1)])
const [sixth, third] = [exifOf([orientationEntry(6)]), exifOf([orientationEntry(3)])]
/** Exif data that turns nothing: upright, without an orientation, or with an unreadable one. */
const silent = [
  upright,
  exifOf([]),
  exifOf([orientationEntry(9)]),
  exifOf([orientationEntry(6, { count: 2 })]),
  exifOf([orientationEntry(6, { type: 4 })]),
  third.subarray(0, 20),
  third.subarray(0, 1),
  Buffer.from('XX\0*\0\0\0\x08'),
]

function inJpeg(...exifs: readonly Buffer[]): Buffer {
  return jpegWith(jpg, ...exifs.map((exif) => exifSegment(exif)))
}

function inPng(...exifs: readonly Buffer[]): Buffer {
  return pngWith(png, ...exifs.map((exif) => chunkOf(['eXIf', exif])))
}

/** Returns the orientation in which a browser draws each photo, as sent and as stored. */
async function orientations(photos: readonly Buffer[]) {
  const eight = [1, 2, 3, 4, 5, 6, 7, 8].map((value) => exifOf([orientationEntry(value)]))
  const known = await renderPhotos(chromium(), [
    ...eight.map((exif) => inJpeg(exif)),
    ...eight.map((exif) => inPng(exif)),
  ])
  const kept = photos.map((photo) => withoutMetadata(photo) ?? Buffer.alloc(0))
  const orientationIn = ({ pixels }: { pixels: string }) =>
    (known.findIndex((one) => one.pixels === pixels) % 8) + 1
  const [before, after] = [
    await renderPhotos(chromium(), photos),
    await renderPhotos(chromium(), kept),
  ]
  return { before: before.map(orientationIn), after: after.map(orientationIn) }
}

test('the first of two Exif parts decides the orientation, even when it states none', async () => {
  const first = [[sixth, third], ...silent.map((exif) => [exif, sixth])]
  const photos = first.flatMap((exifs) => [inJpeg(...exifs), inPng(...exifs)])
  const { before, after } = await orientations(photos)
  expect(before).toEqual([6, 6, ...silent.flatMap(() => [1, 1])])
  expect(after).toEqual(before)
})

test('the first valid orientation entry of an Exif part counts', async () => {
  const entries = [
    [orientationEntry(9), orientationEntry(3)],
    [orientationEntry(6, { count: 2 }), orientationEntry(3)],
    [orientationEntry(6, { type: 4 }), orientationEntry(3)],
    [orientationEntry(1), orientationEntry(3)],
    [orientationEntry(6), orientationEntry(3)],
  ]
  const photos = entries.map((pair) => exifOf(pair)).flatMap((exif) => [inJpeg(exif), inPng(exif)])
  const { before, after } = await orientations(photos)
  expect(before).toEqual([3, 3, 3, 3, 3, 3, 1, 1, 6, 6])
  expect(after).toEqual(before)
})

test('an Exif part of a JPEG counts whatever the sixth byte of its name, and an empty one is ignored', async () => {
  const photos = [
    jpegWith(jpg, exifSegment(sixth, 'Exif\0\x01')),
    jpegWith(jpg, exifSegment(sixth, 'Exif\0\xff'), exifSegment(third)),
    jpegWith(jpg, exifSegment(sixth, 'Exif\x01\0'), exifSegment(third)),
    jpegWith(jpg, exifSegment(Buffer.alloc(0)), exifSegment(third)),
  ]
  const { before, after } = await orientations(photos)
  expect(before).toEqual([6, 6, 3, 3])
  expect(after).toEqual(before)
})

test('an Exif part of a PNG with a wrong checksum is ignored', async () => {
  const wrong = unsound(chunkOf(['eXIf', sixth]))
  const { before, after } = await orientations([
    pngWith(png, wrong),
    pngWith(png, wrong, chunkOf(['eXIf', third])),
  ])
  expect(before).toEqual([1, 3])
  expect(after).toEqual(before)
})
