import { expect, test } from 'vitest'
import { isTrustable, makeAddress, throttleAddress } from './address.ts'

test('without a trusted proxy the client address is that of the peer, whatever is forwarded', () => {
  const address = makeAddress([])
  expect(address('192.0.2.1', '203.0.113.9')).toBe('192.0.2.1')
  expect(makeAddress(['10.0.0.1'])('192.0.2.1', '203.0.113.9')).toBe('192.0.2.1')
})

test('behind a trusted proxy the client address is the forwarded one', () => {
  const address = makeAddress(['10.0.0.0/8'])
  expect(address('10.0.0.1', '203.0.113.9')).toBe('203.0.113.9')
  expect(address('10.0.0.1', undefined)).toBe('10.0.0.1')
  expect(address('10.0.0.1', '')).toBe('10.0.0.1')
})

test('a forwarded address that the client wrote itself is ignored', () => {
  const address = makeAddress(['10.0.0.0/8'])
  expect(address('10.0.0.1', '198.51.100.7, 203.0.113.9')).toBe('203.0.113.9')
  expect(address('10.0.0.1', '127.0.0.1, 203.0.113.9, 10.2.0.1 ,10.3.0.1')).toBe('203.0.113.9')
})

test('the client address is the farthest hop when every hop is trusted', () => {
  const address = makeAddress(['10.0.0.0/8'])
  expect(address('10.0.0.1', '10.0.0.3, 10.0.0.2')).toBe('10.0.0.3')
})

test('when a hop is not an address, the client address is that of the proxy that forwarded it', () => {
  const address = makeAddress(['loopback', '10.0.0.0/8'])
  const hops = ['unknown', '203.0.113.9, _hidden', '1.2.3', '0x7f.1', ' ', '203.0.113.9, ']
  expect(hops.map((hop) => address('10.0.0.1', hop))).toEqual(hops.map(() => '10.0.0.1'))
  expect(address('127.0.0.1', 'evil, 10.0.0.1')).toBe('10.0.0.1')
})

test('ports, brackets and zones are removed from addresses', () => {
  const address = makeAddress(['loopback'])
  expect(address('::1', '203.0.113.9:4711')).toBe('203.0.113.9')
  expect(address('::1', '[2001:db8::9]:4711')).toBe('2001:db8::9')
  expect(address('::1', '[2001:db8::9]')).toBe('2001:db8::9')
  expect(address('fe80::1%eth0', undefined)).toBe('fe80::1')
})

test('an IPv4-mapped IPv6 address becomes IPv4, and IPv6 is written in one form', () => {
  const address = makeAddress(['10.0.0.0/8'])
  expect(address('::ffff:192.0.2.1', undefined)).toBe('192.0.2.1')
  expect(address('::FFFF:c000:0201', undefined)).toBe('192.0.2.1')
  expect(address('::ffff:10.0.0.1', '::ffff:203.0.113.9')).toBe('203.0.113.9')
  expect(address('2001:DB8:0:0:0:0:0:1', undefined)).toBe('2001:db8::1')
})

test('loopback and private stand for their address ranges', () => {
  const loopback = makeAddress(['loopback'])
  const inside = makeAddress(['private'])
  const believed = (address: typeof inside, peer: string) => address(peer, '203.0.113.9') !== peer
  const near = ['10.1.1.1', '172.31.0.1', '192.168.0.1', '169.254.0.1', 'fd00::1', 'fe80::1']
  expect(near.filter((peer) => !believed(inside, peer))).toEqual([])
  const far = ['127.0.0.1', '::1', '172.32.0.1', '192.169.0.1', '11.0.0.1', '2001:db8::1', '']
  expect(far.filter((peer) => believed(inside, peer))).toEqual([])
  expect(['127.0.0.1', '127.9.9.9', '::1'].filter((peer) => !believed(loopback, peer))).toEqual([])
  expect(believed(loopback, '10.1.1.1')).toBe(false)
})

test('a range of IPv4-mapped addresses trusts the IPv4 range', () => {
  const address = makeAddress(['::ffff:10.0.0.0/104', '2001:db8::/32'])
  expect(address('10.9.9.9', '203.0.113.9')).toBe('203.0.113.9')
  expect(address('11.9.9.9', '203.0.113.9')).toBe('11.9.9.9')
  expect(address('2001:db8:ffff::1', '203.0.113.9')).toBe('203.0.113.9')
})

test('a trusted proxy is an address, a range, loopback or private', () => {
  const good = ['10.0.0.1', '10.0.0.0/8', '0.0.0.0/0', '::1', 'fd00::/8', 'loopback', 'private']
  expect(good.filter((proxy) => !isTrustable(proxy))).toEqual([])
  const bad = ['', '*', 'proxy', '10.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/', '10.0.0.0/8/8']
  expect(
    [...bad, 'fe80::1%eth0', '10.0.0.0/-1', 'toString', '::ffff:1.2.3.4/9'].filter(isTrustable),
  ).toEqual([])
})

test('an invalid trusted proxy is an error that names TRUSTED_PROXIES', () => {
  expect(() => makeAddress(['*'])).toThrow('TRUSTED_PROXIES')
})

test('throttles count IPv6 addresses by /64 and IPv4 addresses in full', () => {
  expect(throttleAddress('192.0.2.1')).toBe('192.0.2.1')
  expect(throttleAddress('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64')
  expect(throttleAddress('2001:db8:1:2::6')).toBe('2001:db8:1:2::/64')
  expect(throttleAddress('2001:db8::6')).toBe('2001:db8:0:0::/64')
  expect(throttleAddress('2001:db8::')).toBe('2001:db8:0:0::/64')
  expect(throttleAddress('::1')).toBe('0:0:0:0::/64')
  expect(throttleAddress('::')).toBe('0:0:0:0::/64')
  expect(throttleAddress('1::2:3:4:5:6:7')).toBe('1:0:2:3::/64')
  expect(throttleAddress('64:ff9b:1:2:3:4:192.0.2.1')).toBe('64:ff9b:1:2::/64')
  expect(throttleAddress('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(throttleAddress('')).toBe('')
})
