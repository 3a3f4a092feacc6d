import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chromiumOfFile } from '../../testing/chromium/chromium.ts'
import { drawnBy } from '../../testing/chromium/drawn-photos.ts'
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

/** An entry of Exif data that says which of eight ways a photo lies. */
function way(value: number, { type = 3, count = 1 } = {}): ExifEntry {
  return [0x0112, type, count, value]
}

const upright = exifOf([way(1)])
const [sixth, third] = [exifOf([way(6)]), exifOf([way(3)])]
/** Exif data that say nothing of it, or nothing that can be read. */
const silent = [
  upright,
  exifOf([]),
  exifOf([way(9)]),
  exifOf([way(6, { count: 2 })]),
  exifOf([way(6, { type: 4 })]),
  third.subarray(0, 20),
  third.subarray(0, 1),
  Buffer.from('XX\0*\0\0\0\x08'),
]

function inJpeg(...all: readonly Buffer[]): Buffer {
  return jpegWith(jpg, ...all.map((exif) => exifSegment(exif)))
}

function inPng(...all: readonly Buffer[]): Buffer {
  return pngWith(png, ...all.map((exif) => chunkOf(['eXIf', exif])))
}

/** What a browser draws of each photo, as it came and as it is kept: which of the eight ways it lies. */
async function ways(photos: readonly Buffer[]) {
  const eight = [1, 2, 3, 4, 5, 6, 7, 8].map((value) => exifOf([way(value)]))
  const known = await drawnBy(chromium(), [
    ...eight.map((exif) => inJpeg(exif)),
    ...eight.map((exif) => inPng(exif)),
  ])
  const kept = photos.map((photo) => withoutMetadata(photo) ?? Buffer.alloc(0))
  const wayOf = ({ pixels }: { pixels: string }) =>
    (known.findIndex((one) => one.pixels === pixels) % 8) + 1
  const [before, after] = [await drawnBy(chromium(), photos), await drawnBy(chromium(), kept)]
  return { before: before.map(wayOf), after: after.map(wayOf) }
}

test('of two Exif parts the first counts, also where it says nothing: a stale one turns no picture', async () => {
  const first = [[sixth, third], ...silent.map((exif) => [exif, sixth])]
  const photos = first.flatMap((all) => [inJpeg(...all), inPng(...all)])
  const { before, after } = await ways(photos)
  expect(before).toEqual([6, 6, ...silent.flatMap(() => [1, 1])])
  expect(after).toEqual(before)
})

test('of two entries the first counts that is one of the eight ways, and one number', async () => {
  const entries = [
    [way(9), way(3)],
    [way(6, { count: 2 }), way(3)],
    [way(6, { type: 4 }), way(3)],
    [way(1), way(3)],
    [way(6), way(3)],
  ]
  const photos = entries.map((all) => exifOf(all)).flatMap((exif) => [inJpeg(exif), inPng(exif)])
  const { before, after } = await ways(photos)
  expect(before).toEqual([3, 3, 3, 3, 3, 3, 1, 1, 6, 6])
  expect(after).toEqual(before)
})

test('the Exif part of a JPEG may have any sixth byte in its name, and one that is empty is none', async () => {
  const photos = [
    jpegWith(jpg, exifSegment(sixth, 'Exif\0\x01')),
    jpegWith(jpg, exifSegment(sixth, 'Exif\0\xff'), exifSegment(third)),
    jpegWith(jpg, exifSegment(sixth, 'Exif\x01\0'), exifSegment(third)),
    jpegWith(jpg, exifSegment(Buffer.alloc(0)), exifSegment(third)),
  ]
  const { before, after } = await ways(photos)
  expect(before).toEqual([6, 6, 3, 3])
  expect(after).toEqual(before)
})

test('the Exif part of a PNG whose sum is wrong is none', async () => {
  const wrong = unsound(chunkOf(['eXIf', sixth]))
  const { before, after } = await ways([
    pngWith(png, wrong),
    pngWith(png, wrong, chunkOf(['eXIf', third])),
  ])
  expect(before).toEqual([1, 3])
  expect(after).toEqual(before)
})
