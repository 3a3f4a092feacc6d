import { isIP } from 'node:net'

/**
 * Returns whether a request is for this machine: for `origin`, `localhost` or an IP address. Any other name may be of a
 * site that has it lead here, to read the answer with its own pages (DNS rebinding).
 */
export function isOwnHost(host: string | undefined, origin: string): boolean {
  const name = URL.parse(`http://${host}`)?.hostname ?? ''
  if (name === new URL(origin).hostname || name === 'localhost') return true
  return name.endsWith('.localhost') || isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0
}
