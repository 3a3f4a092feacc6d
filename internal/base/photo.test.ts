import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { jpeg, png, webp } from '../testing/formats/photos.ts'
import { extensionOf, isTooWide } from './photo.ts'

test('the format of a photo is detected from its bytes, and its size is within the limit', () => {
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

test('a photo header cut off at any byte causes no error', () => {
  for (const photo of [png(9000), jpeg(9000), webp(9000)]) {
    for (let length = 0; length < 30; length++) {
      const cut = photo.subarray(0, length)
      expect(typeof isTooWide(cut)).toBe('boolean')
      expect(extensionOf(cut) ?? 'none').toMatch(/^(png|jpg|webp|none)$/)
    }
  }
})

test('a JPEG with false segment lengths causes no error', () => {
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
