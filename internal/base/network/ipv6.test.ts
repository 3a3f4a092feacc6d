import { isIPv6 } from 'node:net'
import { expect, test } from 'vitest'
import { shortIPv6 } from './ipv6.ts'

test('an IPv6 address is written in its shortest form without its zone', () => {
  expect(shortIPv6('2001:DB8:0:0:0:0:0:1')).toBe('2001:db8::1')
  expect(shortIPv6('fe80::1%eth0')).toBe('fe80::1')
  expect(shortIPv6('::FFFF:c000:0201')).toBe('::ffff:192.0.2.1')
  expect(shortIPv6('::')).toBe('::')
  expect(shortIPv6('0000:0000:0000:0000:0000:ffff:10.2.3.123%1')).toBe('::ffff:10.2.3.123')
})

test('exactly the texts that Node accepts are IPv6 addresses', () => {
  const groups = [
    '',
    ':',
    '::',
    '0',
    '1',
    'ffff',
    '12345',
    'g',
    '1.2.3.4',
    '1.2.3',
    '%',
    '%lo',
    '\0',
  ]
  const texts = joined(groups, 4)
    .flatMap((text) => [text, `1:2:3:4:5:${text}`, `1:2:3:4:5:6:${text}`, `::${text}`, `[${text}]`])
    .concat(
      '1111:2222:3333:4444:5555:6666:7777:888899%lo',
      '1111:2222:3333:4444:5555:6666:7777:8888:::%lo',
    )
    .concat('fe80::1%eth_0', 'fe80::1%a.b-c:d', ' ::1', '::1\n', '::1/64', '1:2:3:4:5:6:7:8:9')
  expect(texts.filter((text) => (shortIPv6(text) !== undefined) !== isIPv6(text))).toEqual([])
  expect(texts.filter(isIPv6).length).toBeGreaterThan(100)
})

/** Returns every text made of at most that many of the parts. */
function joined(parts: readonly string[], most: number): readonly string[] {
  if (most === 0) return ['']
  return parts.flatMap((part) => joined(parts, most - 1).map((rest) => part + rest))
}
