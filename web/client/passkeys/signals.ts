import type { PasskeysSignal, UserSignal } from '../../contract/signals.ts'

let lastJson: string | undefined

/**
 * Passes the page's `data-signal` on to the browser if it is new, so that it stops offering deleted passkeys.
 */
export function tellBrowser(): void {
  const json = document.querySelector<HTMLElement>('[data-signal]')?.dataset.signal
  if (!json || json === lastJson) return
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
