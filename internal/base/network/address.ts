import { BlockList, isIPv4 } from 'node:net'
import { shortIPv6 } from './ipv6.ts'
import { withoutSpace } from '../text/optional-space.ts'

/**
 * Returns a function that finds the client's address (security rule 7): the peer's, or behind trusted proxies
 * the last address in X-Forwarded-For that is not a trusted proxy's. `trustedProxies` must pass
 * `isTrustable`; `untrusted` is called with each peer that sends X-Forwarded-For but is not trusted.
 */
export function makeAddress(
  trustedProxies: readonly string[],
  untrusted: (peer: string) => void = () => {},
): (peer: string, forwardedFor: string | undefined) => string {
  const trusted = makeTrusted(trustedProxies)
  const isTrusted = (address: string) => trusted.check(address, family(address))
  return (peer, forwardedFor) => {
    let address = plainAddress(peer)
    // A closed connection has no address.
    if (!address || !forwardedFor) return address ?? peer
    if (!isTrusted(address)) untrusted(address)
    const hops = forwardedFor.split(',')
    while (isTrusted(address)) {
      // If a proxy forwards no address, or an unreadable one, the proxy's own is the last one known.
      const hop = plainAddress(withoutSpace(hops.pop() ?? ''))
      if (!hop) break
      address = hop
    }
    return address
  }
}

/** Returns what a throttle counts an address by: IPv6 by its /64, since each customer gets at least one. */
export function throttleAddress(address: string): string {
  const folded = fold(address)
  if (!folded?.includes(':')) return folded ?? address
  // The last 32 bits may be written as IPv4; their value does not matter, since they lie outside the /64.
  const [head = '', tail] = folded.replace(/[\d.]+\.\d+$/, '0:0').split('::')
  const left = head === '' ? [] : head.split(':')
  const right = tail ? tail.split(':') : []
  const zeros =
    tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0')
  const network = [...left, ...zeros, ...right].slice(0, 4)
  return `${network.join(':')}::/64`
}

/** Returns whether TRUSTED_PROXIES may name this: an address, a CIDR range, `loopback` or `private`. */
export function isTrustable(proxy: string): boolean {
  return words.has(proxy) || readRange(proxy) !== undefined
}

const words: ReadonlyMap<string, readonly string[]> = new Map([
  ['loopback', ['127.0.0.0/8', '::1']],
  // RFC 1918 and link-local, RFC 4193 and link-local.
  [
    'private',
    ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', '169.254.0.0/16', 'fc00::/7', 'fe80::/10'],
  ],
])

function makeTrusted(proxies: readonly string[]): BlockList {
  const list = new BlockList()
  for (const proxy of proxies.flatMap((proxy) => words.get(proxy) ?? [proxy])) {
    const range = readRange(proxy)
    if (!range) throw new Error(`TRUSTED_PROXIES names no address or range: ${proxy}`)
    list.addSubnet(range.address, range.bits, family(range.address))
  }
  return list
}

function readRange(text: string): { address: string; bits: number } | undefined {
  const [written = '', prefix, ...more] = text.split('/')
  const address = fold(written)
  if (address === undefined || written.includes('%') || more.length > 0) return undefined
  const isFolded = isIPv4(address) && !isIPv4(written)
  const most = isIPv4(written) ? 32 : 128
  const bits = prefix === undefined ? most : /^\d{1,3}$/.test(prefix) ? Number(prefix) : most + 1
  if (bits > most) return undefined
  if (!isFolded) return { address, bits }
  // A range of IPv4-mapped addresses is one of IPv4 only if its prefix covers the 96 bits of the mapping.
  return bits < 96 ? undefined : { address, bits: bits - 96 }
}

/** Returns an address in canonical form, without port, brackets or zone; undefined if it is none. */
function plainAddress(text: string): string | undefined {
  if (isIPv4(text)) return text
  const bare =
    /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text
  return fold(bare)
}

/** Returns IPv4-mapped IPv6 as IPv4, other IPv6 in its shortest form; undefined if it is no address. */
function fold(text: string): string | undefined {
  if (isIPv4(text)) return text
  const short = shortIPv6(text)
  const mapped = short && /^::ffff:([\d.]+)$/.exec(short)?.[1]
  return mapped && isIPv4(mapped) ? mapped : short
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6'
}
