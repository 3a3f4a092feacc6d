import { path } from '../../web/contract/paths.ts'
import type { Context } from './context.ts'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a request that changes something was sent by a page of another site. A request that tells nothing of its
 * origin passes: no browser sends one from a page (spec: Page delivery 7; security rule 9). The API's requests do not
 * come here: no cookie speaks for them.
 */
export function isCrossSite(c: Context): boolean {
  if (safe.has(c.incoming.method) || isReport(c)) return false
  const origin = c.header('origin')
  if (origin !== undefined && origin !== c.app.config.origin) return true
  const site = c.header('sec-fetch-site')
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/** A report changes nothing, and WebKit sends it with an Origin of `null`. */
function isReport(c: Context): boolean {
  return c.incoming.method === 'POST' && c.path === path('csp-reports')
}
