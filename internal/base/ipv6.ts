import { SocketAddress } from 'node:net'

// What its parts are, and not their order. A zone is what node:net takes for one.
const parts = /^(?=.*:)[\da-f:.]+(?:%[\da-z.:-]+)?$/i

/**
 * An IPv6 address in its shortest form (RFC 5952) without its zone, or undefined where the text is none. The system
 * reads it: the pattern by which node:net would tell takes 4 ms of a start.
 */
export function shortIPv6(text: string): string | undefined {
  if (!parts.test(text)) return undefined
  try {
    // What reads it takes forty characters of one with a zone.
    const [address = ''] = text.split('%', 1)
    return new SocketAddress({ address, family: 'ipv6' }).address
  } catch {
    return undefined
  }
}
