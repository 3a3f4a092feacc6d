/** What a passkey is bound to: the domain it was made for, and the one origin that may ask for it. */
export interface Site {
  readonly rpId: string
  readonly origin: string
}

/** The site of the origin of APP_URL (spec: Passkeys). undefined: a bare IP address has no passkeys. */
export function siteOf(origin: string): Site | undefined {
  const { hostname } = new URL(origin)
  // A URL writes addresses in these two forms; `isIP` of Node would take 5 ms of the start.
  const isAddress = /^\[|^[\d.]+$/.test(hostname)
  return isAddress ? undefined : { rpId: hostname, origin }
}
