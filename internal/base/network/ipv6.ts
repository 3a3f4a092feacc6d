import { SocketAddress } from 'node:net'

// Checks the characters of an IPv6 address, and not their order. A zone is what node:net takes for one.
const parts = /^(?=.*:)[\da-f:.]+(?:%[\da-z.:-]+)?$/i

/**
 * An IPv6 address in its shortest form (RFC 5952) without its zone, or undefined where the text is none. The system
 * parses it: compiling the pattern of `isIPv6` in node:net takes 4 ms of a start.
 */
export function shortIPv6(text: string): string | undefined {
  if (!parts.test(text)) return undefined
  try {
    // Without its zone: SocketAddress takes only forty characters of an address that has one.
    const [address = ''] = text.split('%', 1)
    return new SocketAddress({ address, family: 'ipv6' }).address
  } catch {
    return undefined
  }
}
