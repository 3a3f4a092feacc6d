import { withoutTokens } from '../../base/text/without-tokens.ts'
import type { Arrived } from '../arrived.ts'

/** Logs the request, without tokens in its path or what people type into queries (security rule 17). */
export function logRequest(c: Arrived, status: number, milliseconds: number): void {
  c.app.log.info('request', {
    method: c.incoming.method,
    path: loggedPath(c) + loggedQuery(c.search),
    status,
    ms: Math.round(milliseconds * 10) / 10,
    address: c.address,
    user: c.sender.user,
    token: c.sender.token,
    request: c.id,
    again: c.repeatOf,
  })
}

/** Returns the path without tokens: neither the route's own nor anything that looks like one. */
export function loggedPath({ path, params }: Pick<Arrived, 'path' | 'params'>): string {
  const { token } = params
  if (token === undefined) return withoutTokens(path)
  const parts = path.split('/')
  return withoutTokens(
    parts.map((part) => (decodeURIComponent(part) === token ? '[token]' : part)).join('/'),
  )
}

/** Returns an address from a browser's report, without tokens and query. */
export function loggedAddress(address: string): string {
  return withoutTokens(address).replace(/\?.*/s, '?[redacted]')
}

// A page number is no secret; anything else may be an email or a token.
const plain = new Set(['page'])

function loggedQuery(search: string): string {
  if (search === '') return ''
  const pairs = search.slice(1).split('&', 20)
  const redactedPairs = pairs.map((pair) => {
    const [name = '', value = ''] = pair.split('=', 2)
    // The part before `=` may be typed text as well.
    if (!/^[a-z_]{1,32}$/.test(name)) return '[redacted]'
    const isPlain = value === '' || (plain.has(name) && /^\d+$/.test(value))
    return isPlain ? pair : `${name}=[redacted]`
  })
  return `?${redactedPairs.join('&')}`
}
