import type { PasskeysSignal, UserSignal } from '../../contract/signals.ts'

let told: string | undefined

/** Tells the browser what the shown page's `data-signal` says, so that it offers no passkey that is gone. Once for each. */
export function tellBrowser(): void {
  const said = document.querySelector<HTMLElement>('[data-signal]')?.dataset.signal
  if (!said || said === told) return
  const { dataset } = document.documentElement
  // What was said before the server had the passkey that is being made, or was made just now, says that it is gone.
  if (dataset.making === '' || !said.includes(dataset.making ?? '')) return
  delete dataset.making
  told = said
  const signal = JSON.parse(said) as PasskeysSignal | UserSignal
  const api = platform()
  if ('name' in signal) return settle(api.signalCurrentUserDetails?.(signal))
  const allAcceptedCredentialIds = [...signal.allAcceptedCredentialIds]
  settle(api.signalAllAcceptedCredentials?.({ ...signal, allAcceptedCredentialIds }))
}

/** Tells the browser of a passkey that it has, and no account. */
export function signalUnknown(unknown: UnknownCredentialOptions): void {
  settle(platform().signalUnknownCredential?.(unknown))
}

/** Not every browser can be told. */
function platform(): Partial<typeof PublicKeyCredential> {
  return globalThis.PublicKeyCredential ?? {}
}

// Nobody waits for it, and a browser that will not be told offers what it did before.
function settle(telling: Promise<void> | undefined): void {
  telling?.catch((error: unknown) => console.info(error))
}
