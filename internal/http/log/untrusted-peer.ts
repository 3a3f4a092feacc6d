import type { App } from '../../app.ts'

/** Warns once, the first time a peer that is no trusted proxy forwards an address. */
export function warnOfUntrusted({ config, log }: App): (peer: string) => void {
  let isTold = false
  return (peer) => {
    if (isTold) return
    isTold = true
    // The complete setting, including its current value.
    const setting = `TRUSTED_PROXIES=${[...config.trustedProxies, peer].join(',')}`
    log.warn(message, { peer, setting })
  }
}

// Anyone may send the header: only the operator knows whether the peer is a proxy.
const message =
  'X-Forwarded-For came from a peer that is not in TRUSTED_PROXIES, so all requests it passes on count as its own. If it is your proxy, change the setting; if it is not, nothing has to be done.'
