import { paths } from '../../web/contract/paths.ts'
import type { Arrived } from './arrived.ts'

// Characters of a header that are logged: anybody may send one of any length.
const most = 100

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Why a request that changes something is not taken for one of this site's own pages; undefined when it is. A request
 * that tells nothing of its origin passes: no browser sends one from a page (spec: Page delivery 7; security rule 9).
 * The API's requests do not come here: no cookie speaks for them.
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

/** A report changes nothing, and WebKit sends it with an Origin of `null`. */
function isReport(c: Arrived): boolean {
  return c.incoming.method === 'POST' && c.path === paths['csp-reports']
}
