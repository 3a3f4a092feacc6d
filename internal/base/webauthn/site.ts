/** What a passkey is bound to: the domain it was made for, and the one origin that may ask for it. */
export interface Site {
  readonly rpId: string
  readonly origin: string
}

/** Returns the site of APP_URL's origin (spec: Passkeys); undefined for an IP address, which has none. */
export function siteOf(origin: string): Site | undefined {
  const { hostname } = new URL(origin)
  // In a URL, addresses take one of these two forms; Node's `isIP` would take 5 ms of the start.
  const isAddress = /^\[|^[\d.]+$/.test(hostname)
  return isAddress ? undefined : { rpId: hostname, origin }
}
