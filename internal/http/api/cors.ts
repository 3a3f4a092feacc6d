import type { Arrived } from '../arrived.ts'

const exposed = 'X-RateLimit-Limit, X-RateLimit-Remaining, Retry-After, X-Request-Id, Allow'
const allowedHeaders = 'Authorization, Accept, Content-Type'
// Seconds that a browser caches the answer to a preflight; Chromium caps it at two hours.
const remembered = '7200'

/**
 * Returns the headers that let pages of other sites read the API (spec: JSON API). Origins are compared as
 * text, since browsers write each in one way only. Cookies are never allowed.
 */
export function corsHeaders(c: Arrived): Record<string, string> {
  // Even if no site is listed: a cache must not serve one site's answer to another.
  const vary = { Vary: 'Origin' }
  const origin = c.header('origin')
  if (origin === undefined || !c.app.config.corsOrigins.includes(origin)) return vary
  return {
    ...vary,
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': exposed,
  }
}

/** Whether a request is a CORS preflight (Fetch, 4.8). */
export function isPreflight(c: Arrived): boolean {
  return (
    c.method === 'OPTIONS' &&
    c.header('origin') !== undefined &&
    c.header('access-control-request-method') !== undefined
  )
}

/** Returns a preflight's own headers, beside those of every answer; none for a site that is not listed. */
export function preflightHeaders(c: Arrived, methods: string): Record<string, string> {
  if (!c.app.config.corsOrigins.includes(c.header('origin') ?? '')) return {}
  return {
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': allowedHeaders,
    'Access-Control-Max-Age': remembered,
  }
}
