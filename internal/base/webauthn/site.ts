/** What a passkey is bound to: the domain it was made for, and the one origin that may ask for it. */
export interface Site {
  readonly rpId: string
  readonly origin: string
}

/** Returns APP_URL's site (spec: Passkeys); undefined for a bare IP address, which has no passkeys. */
export function siteOf(origin: string): Site | undefined {
  const { hostname } = new URL(origin)
  // In a URL, addresses take one of these two forms; Node's `isIP` would take 5 ms of the start.
  const isAddress = /^\[|^[\d.]+$/.test(hostname)
  return isAddress ? undefined : { rpId: hostname, origin }
}
