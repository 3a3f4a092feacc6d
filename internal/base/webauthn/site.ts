import { isIP } from 'node:net'

/** What a passkey is bound to: the domain it was made for, and the one origin that may ask for it. */
export interface Site {
  readonly rpId: string
  readonly origin: string
}

/** The site of the origin of APP_URL (spec: Passkeys). undefined: a bare IP address has no passkeys. */
export function siteOf(origin: string): Site | undefined {
  const { hostname } = new URL(origin)
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0
  return isAddress ? undefined : { rpId: hostname, origin }
}
