import { paths } from '../../web/contract/paths.ts'
import type { Arrived } from './arrived.ts'

// Characters of a header to log: clients can send any length.
const most = 100

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Returns why a state-changing request is not from one of this site's pages; undefined if it is. A request
 * with no origin information passes: no browser sends one from a page (spec: Page delivery 7; security rule
 * 9). API requests do not come here: cookies do not authenticate them.
 */
export function whyForeign(c: Arrived): string | undefined {
  if (safe.has(c.incoming.method) || isReport(c)) return undefined
  const origin = c.header('origin')
  if (origin !== undefined && origin !== c.app.config.origin)
    return `Origin: ${origin.slice(0, most)}`
  const site = c.header('sec-fetch-site')
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
  return isForeign ? `Sec-Fetch-Site: ${site.slice(0, most)}` : undefined
}

/** CSP reports change nothing, and WebKit sends them with an Origin of `null`. */
function isReport(c: Arrived): boolean {
  return c.incoming.method === 'POST' && c.path === paths['csp-reports']
}
