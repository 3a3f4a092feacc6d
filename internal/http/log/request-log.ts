import { withoutTokens } from '../../base/text/without-tokens.ts'
import type { Arrived } from '../arrived.ts'

/** Writes the request's line. Tokens in paths and what people type into queries stay out of it (security rule 17). */
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
    again: c.again,
  })
}

/** The path without tokens: without the part that the route takes for one, and without all that looks like one. */
export function loggedPath({ path, params }: Pick<Arrived, 'path' | 'params'>): string {
  const { token: taken } = params
  if (taken === undefined) return withoutTokens(path)
  const parts = path.split('/')
  return withoutTokens(
    parts.map((part) => (decodeURIComponent(part) === taken ? '[token]' : part)).join('/'),
  )
}

/** An address that a browser reports, with neither token nor query. */
export function loggedAddress(address: string): string {
  return withoutTokens(address).replace(/\?.*/s, '?[redacted]')
}

// A page's number is nobody's secret; anything else may be an email or a token.
const plain = new Set(['page'])

function loggedQuery(search: string): string {
  if (search === '') return ''
  const pairs = search.slice(1).split('&', 20)
  const redactedPairs = pairs.map((pair) => {
    const [name = '', value = ''] = pair.split('=', 2)
    // What stands before the `=` may be typed as well.
    if (!/^[a-z_]{1,32}$/.test(name)) return '[redacted]'
    const isPlain = value === '' || (plain.has(name) && /^\d+$/.test(value))
    return isPlain ? pair : `${name}=[redacted]`
  })
  return `?${redactedPairs.join('&')}`
}
