import type { Arrived } from '../arrived.ts'

const exposed = 'X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After, X-Request-Id, Allow'
const taken = 'Authorization, Accept, Content-Type'
// Seconds that a browser remembers the answer to a preflight. Chromium takes two hours at most.
const remembered = '7200'

/**
 * The headers by which a browser lets the pages of other sites read the API (spec: JSON API). An origin is one of those
 * listed only if it is the same text: browsers write each in one way. Cookies are never allowed along.
 */
export function corsHeaders(c: Arrived): Record<string, string> {
  // Whether or not any site is listed: a cache must not hand one site's answer to another.
  const vary = { Vary: 'Origin' }
  const origin = c.header('origin')
  if (origin === undefined || !c.app.config.corsOrigins.includes(origin)) return vary
  return {
    ...vary,
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': exposed,
  }
}

/** Whether a browser asks if a page may send a request, before it sends it (Fetch, 4.8). */
export function isPreflight(c: Arrived): boolean {
  return (
    c.method === 'OPTIONS' &&
    c.header('origin') !== undefined &&
    c.header('access-control-request-method') !== undefined
  )
}

/** What the answer to a preflight says beside the headers of every answer; nothing to a site that is not listed. */
export function preflightHeaders(c: Arrived, methods: string): Record<string, string> {
  if (!c.app.config.corsOrigins.includes(c.header('origin') ?? '')) return {}
  return {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': taken,
    'Access-Control-Max-Age': remembered,
  }
}
