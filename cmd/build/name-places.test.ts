import { expect, test } from 'vitest'
import { appName } from '../../web/contract/name.ts'
import { otherNames } from './name-places.ts'

test('image, unit, filter, README and lockfile have the name of package.json: npm run fix writes it there', () => {
  expect(otherNames(appName)).toEqual([])
})
