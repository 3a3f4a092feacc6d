import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { jpeg, png, webp } from '../testing/formats/photos.ts'
import { extensionOf, isTooWide } from './photo.ts'

test('photos that a browser made are told by their bytes, and fit', () => {
  const results = ['photo.png', 'photo.jpg', 'photo.webp'].map((name) => {
    const photo = readFileSync(`testdata/photos/${name}`)
    return [extensionOf(photo), isTooWide(photo)]
  })
  expect(results).toEqual([
    ['png', false],
    ['jpg', false],
    ['webp', false],
  ])
})

test('a header that is cut off anywhere tells no size, and does no harm', () => {
  for (const photo of [png(9000), jpeg(9000), webp(9000)]) {
    for (let length = 0; length < 30; length++) {
      const cut = photo.subarray(0, length)
      expect(typeof isTooWide(cut)).toBe('boolean')
      expect(extensionOf(cut) ?? 'none').toMatch(/^(png|jpg|webp|none)$/)
    }
  }
})

test('a JPEG whose segments lie about their length does no harm', () => {
  const lies = [
    'ffd8ffe00000ffe00000',
    'ffd8ffe0ffff',
    'ffd8ffffffffff',
    'ffd8ffc0',
    'ffd8ffe00001',
  ]
  for (const lie of lies) {
    const photo = Buffer.concat([Buffer.from(lie, 'hex'), Buffer.alloc(2 * 1024 * 1024, 0xff)])
    expect(typeof isTooWide(photo)).toBe('boolean')
  }
})
