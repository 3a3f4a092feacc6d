import type { PasskeysSignal, UserSignal } from '../../contract/signals.ts'

let lastJson: string | undefined
/** When the newest page signalled so far was answered; at first, when the document was requested. */
let newest = performance.timeOrigin

/**
 * Passes the page's `data-signal` on to the browser if it is new, so that it stops offering deleted passkeys.
 * `answered`: when the page was answered; undefined for the document's own.
 */
export function tellBrowser(answered: number = newest): void {
  const json = document.querySelector<HTMLElement>('[data-signal]')?.dataset.signal
  // A page from history lacks passkeys made since: the browser would remove them.
  if (!json || answered < newest) return
  newest = answered
  if (json === lastJson) return
  const { dataset } = document.documentElement
  // Not while a passkey is being made, nor with a list that lacks it: the browser would remove that passkey.
  if (dataset.making === '' || !json.includes(dataset.making ?? '')) return
  delete dataset.making
  lastJson = json
  const signal = JSON.parse(json) as PasskeysSignal | UserSignal
  const api = platform()
  if ('name' in signal) return settle(api.signalCurrentUserDetails?.(signal))
  const allAcceptedCredentialIds = [...signal.allAcceptedCredentialIds]
  settle(api.signalAllAcceptedCredentials?.({ ...signal, allAcceptedCredentialIds }))
}

/** Tells the browser about a passkey that no account has. */
export function signalUnknown(unknown: UnknownCredentialOptions): void {
  settle(platform().signalUnknownCredential?.(unknown))
}

/** Returns the platform's methods, which not every browser has. */
function platform(): Partial<typeof PublicKeyCredential> {
  return globalThis.PublicKeyCredential ?? {}
}

// Not awaited. A browser that refuses keeps offering the same passkeys as before.
function settle(telling: Promise<void> | undefined): void {
  telling?.catch((error: unknown) => console.info(error))
}
