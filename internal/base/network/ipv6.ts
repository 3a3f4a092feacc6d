import { SocketAddress } from 'node:net'

// Checks the characters of an IPv6 address, not their order. A zone is what node:net accepts as one.
const parts = /^(?=.*:)[\da-f:.]+(?:%[\da-z.:-]+)?$/i

/**
 * Returns an IPv6 address in its shortest form (RFC 5952) without its zone; undefined if the text is none.
 * The system parses it: compiling the pattern of node:net's `isIPv6` takes 4 ms at startup.
 */
export function shortIPv6(text: string): string | undefined {
  if (!parts.test(text)) return undefined
  try {
    // Without its zone: SocketAddress accepts only forty characters of an address with one.
    const [address = ''] = text.split('%', 1)
    return new SocketAddress({ address, family: 'ipv6' }).address
  } catch {
    return undefined
  }
}
