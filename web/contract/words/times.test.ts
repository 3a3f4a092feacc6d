import { expect, test } from 'vitest'
import * as german from './de/format/times.ts'
import * as english from './en/format/times.ts'

const time = new Date('2026-03-03T23:30:00Z')

test('days and times are written in the format of the language, in UTC', () => {
  expect([english.dayOf(time), english.momentOf(time)]).toEqual([
    '3 March 2026',
    '3 March 2026, 23:30 UTC',
  ])
  expect([german.dayOf(time), german.momentOf(time)]).toEqual([
    '3.\u00a0März 2026',
    '3.\u00a0März 2026, 23:30\u00a0Uhr (UTC)',
  ])
})
