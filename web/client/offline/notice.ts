import { offline as words } from '#words/client/offline'
import sheet from '../../styles/offline.css'
import type { Client } from '../core/client-api.ts'

/** A toast that stays until the network is back or it is dismissed. */
export class Notice {
  readonly #client: Client
  #element: Element | undefined

  constructor(client: Client) {
    this.#client = client
    // Without the stylesheet the notice looks like an error.
    client.applySheet(sheet).catch(() => {})
  }

  /** Replaces the text. Screen readers announce an alert at once, and a status when idle. */
  say(text: string, role: 'alert' | 'status'): void {
    this.drop()
    this.#client.toast('error', text)
    const element = document.querySelector<HTMLElement>('#toasts [role=alert] > :last-child')
    if (!element) return
    element.dataset.kind = 'offline'
    if (role === 'status') document.querySelector('#toasts [role=status]')?.append(element)
    this.#element = element
  }

  drop(): void {
    this.#element?.remove()
    this.#element = undefined
  }

  /** Announces the reconnect if the notice is still shown, or an unanswered form may have been processed. */
  end({ isUnsure }: { isUnsure: boolean }): void {
    if (isUnsure) this.#client.toast('success', words.backUnsure)
    else if (this.#element?.isConnected) this.#client.toast('success', words.back)
    this.drop()
  }
}
