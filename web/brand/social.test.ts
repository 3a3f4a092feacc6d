import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isUpToDate, size, socialPicture, addStamp } from '../../cmd/brand/social-picture.ts'
import { languageNames } from '../contract/languages.ts'

const pngs = languageNames.map((language) => readFileSync(socialPicture(language)))

test('the link preview picture of each language matches the brand (npm run brand draws it again)', () => {
  expect(pngs.map((png, at) => isUpToDate(png, languageNames[at] ?? 'en'))).toEqual(
    languageNames.map(() => true),
  )
  expect(isUpToDate(readFileSync(socialPicture('en')), 'de')).toBe(false)
})

test('the link preview picture is a PNG of the declared size, and one without a stamp is out of date', () => {
  const [png = Buffer.of()] = pngs
  const other = Buffer.from(png.toString('latin1').replace('tEXtSource', 'tEXtAuthor'), 'latin1')
  const heads = pngs.map((each) => [
    each.toString('latin1', 12, 16),
    each.readUInt32BE(16),
    each.readUInt32BE(20),
  ])
  expect(heads).toEqual(pngs.map(() => ['IHDR', size.width, size.height]))
  expect([isUpToDate(other, 'en'), isUpToDate(addStamp(other, 'en'), 'en')]).toEqual([false, true])
})
