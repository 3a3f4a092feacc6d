import { expect, test } from 'vitest'
import { readsAsLink } from './reads-as-link.ts'

test('a text that a mail program would turn into a link reads as a link, in any script, without a scheme', () => {
  const names = [
    'https://evil.test/',
    'Win at t.co/free',
    'win2026.com/x',
    '203.0.113.5/x',
    '203.0.113.5',
    '[2001:db8::1]',
    'www.evil.test',
    'Claim it at evil.test now',
    'evil。test',
    'evil｡test',
    'ｔ．ｃｏ／ｆｒｅｅ',
    't․co',
    'ⓔⓥⓘⓛ.ⓣⓔⓢⓣ',
    't.\u200dco',
    't.\u0301co',
    'T.C\u200dO',
    'win⁄free',
    '例え.テスト',
    '例.世',
    'пример.рф',
    'win@evil.test',
    '@evil',
    'mailto:win',
    'file:\\\\evil',
    'Call +1 (900) 555-0100',
    'Call ٩٠٠٥٥٥',
  ]
  expect(names.filter((name) => !readsAsLink(name))).toEqual([])
})

test('the names of people do not read as links', () => {
  const names = [
    'Ann',
    'Dr. J.R. Ng-Ünal',
    'J.R.R. Tolkien',
    'J.-P. Sartre',
    "Sinéad O'Connor, Ph.D.",
    'Martin Luther King Jr.',
    'Louis XIV.',
    'Ann (A.)',
    'Gal·la',
    'Zoë …',
    '山田 太郎',
    'محمد بن سلمان',
    'Ann 2026',
    'X Æ A-12',
  ]
  expect(names.filter(readsAsLink)).toEqual([])
})
