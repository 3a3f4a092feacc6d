import { offline as words } from '#words/offline'
import sheet from '../../styles/offline.css'
import type { Client } from '../core/client-api.ts'

/** A toast that stands until the network is back. It can be dismissed. */
export class Notice {
  readonly #client: Client
  #shown: Element | undefined

  constructor(client: Client) {
    this.#client = client
    // Without it the notice has the look of what went wrong.
    client.applySheet(sheet).catch(() => {})
  }

  /** In place of what it said before: at once to a screen reader as an alert, in its turn as a status. */
  say(text: string, role: 'alert' | 'status'): void {
    this.drop()
    this.#client.toast('error', text)
    const shown = document.querySelector<HTMLElement>('#toasts [role=alert] > :last-child')
    if (!shown) return
    shown.dataset.kind = 'offline'
    if (role === 'status') document.querySelector('#toasts [role=status]')?.append(shown)
    this.#shown = shown
  }

  drop(): void {
    this.#shown?.remove()
    this.#shown = undefined
  }

  /** Says that the network is back, if it stands still, or where what was pressed may have been done. */
  end({ isUnsure }: { isUnsure: boolean }): void {
    if (isUnsure) this.#client.toast('success', words.backUnsure)
    else if (this.#shown?.isConnected) this.#client.toast('success', words.back)
    this.drop()
  }
}
