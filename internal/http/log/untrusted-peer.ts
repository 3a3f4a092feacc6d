import type { App } from '../../app.ts'

/** Tells the first time that an address was forwarded by a peer that is no trusted proxy, and never again. */
export function warnOfUntrusted({ config, log }: App): (peer: string) => void {
  let isTold = false
  return (peer) => {
    if (isTold) return
    isTold = true
    // The whole setting: what it is now stays in it.
    const setting = `TRUSTED_PROXIES=${[...config.trustedProxies, peer].join(',')}`
    log.warn(message, { peer, setting })
  }
}

// Anyone may send the header: only who runs the service knows whether the peer is a proxy.
const message =
  'X-Forwarded-For came from a peer that is not in TRUSTED_PROXIES, so all requests it passes on count as its own. If it is your proxy, change the setting; if it is not, nothing has to be done.'
