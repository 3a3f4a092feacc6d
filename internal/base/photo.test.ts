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

test('a photo header states a size only once it is whole, and causes no error cut off at any byte', () => {
  const headers = [png(9000).subarray(0, 24), jpeg(9000), webp(9000)]
  expect(headers.map(isTooWide)).toEqual([true, true, true])
  for (const header of headers) {
    for (let length = 0; length < header.length; length++) {
      const cut = header.subarray(0, length)
      expect(isTooWide(cut)).toBe(false)
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
