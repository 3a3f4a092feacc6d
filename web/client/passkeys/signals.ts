import type { PasskeysSignal, UserSignal } from '../../contract/signals.ts'

let lastJson: string | undefined

/**
 * Tells the browser what `data-signal` of the shown page says, if that is new: so it offers no passkey that is gone.
 */
export function tellBrowser(): void {
  const json = document.querySelector<HTMLElement>('[data-signal]')?.dataset.signal
  if (!json || json === lastJson) return
  const { dataset } = document.documentElement
  // Not while a passkey is being made, nor by a list without the one just made: the browser would remove that passkey.
  if (dataset.making === '' || !json.includes(dataset.making ?? '')) return
  delete dataset.making
  lastJson = json
  const signal = JSON.parse(json) as PasskeysSignal | UserSignal
  const api = platform()
  if ('name' in signal) return settle(api.signalCurrentUserDetails?.(signal))
  const allAcceptedCredentialIds = [...signal.allAcceptedCredentialIds]
  settle(api.signalAllAcceptedCredentials?.({ ...signal, allAcceptedCredentialIds }))
}

/** Tells the browser of a passkey that it has, but no account has. */
export function signalUnknown(unknown: UnknownCredentialOptions): void {
  settle(platform().signalUnknownCredential?.(unknown))
}

/** The platform's methods, which not every browser has. */
function platform(): Partial<typeof PublicKeyCredential> {
  return globalThis.PublicKeyCredential ?? {}
}

// Not awaited. A browser that refuses goes on offering what it did before.
function settle(telling: Promise<void> | undefined): void {
  telling?.catch((error: unknown) => console.info(error))
}
