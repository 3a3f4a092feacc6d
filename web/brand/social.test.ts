import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isUpToDate, size, socialPicture, stamped } from '../../cmd/brand/social-picture.ts'

const png = readFileSync(socialPicture)

test('the picture that goes with a link is of the brand as it is: npm run brand draws it anew', () => {
  expect(isUpToDate(png)).toBe(true)
})

test('it is a PNG of the size that it is shown at, and another one is not taken for it', () => {
  const other = Buffer.from(png.toString('latin1').replace('tEXtSource', 'tEXtAuthor'), 'latin1')
  expect([png.toString('latin1', 12, 16), png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([
    'IHDR',
    size.width,
    size.height,
  ])
  expect([isUpToDate(other), isUpToDate(stamped(other))]).toEqual([false, true])
})
