import { expect, test } from 'vitest'
import { preferredLanguage } from './accept-language.ts'

// oxfmt-ignore
const cases: readonly (readonly [header: string | undefined, language: string | undefined])[] = [
  [undefined,                       undefined],
  ['',                              undefined],
  ['de',                            'de'],
  ['DE',                            'de'],
  ['de-AT',                         'de'],
  ['de-AT-1996,en;q=0.5',           'de'],
  ['deu',                           undefined],
  ['fr-CH, fr;q=0.9, de;q=0.7, *;q=0.5', 'de'],
  ['en-GB,en;q=0.9,de;q=0.8',       'en'],
  ['en;q=0.5,de;q=0.9',             'de'],
  ['en; q=0.5 , de ; q=0.9',        'de'],
  ['de;q=0',                        undefined],
  ['de;q=0,en;q=0.1',               'en'],
  ['de;q=x',                        undefined],
  ['de;q=7,en',                     'en'],
  ['*',                             undefined],
  [';;,,;q=1',                      undefined],
  [`${'x,'.repeat(20)}de`,          undefined],
  [`${' '.repeat(1000)}de`,         undefined],
]

test('the language is the offered one with the highest weight in Accept-Language', () => {
  const languages = cases.map(([header]) => preferredLanguage(header, ['en', 'de']))
  expect(languages).toEqual(cases.map(([, language]) => language))
})
