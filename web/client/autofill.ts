import { answerOf } from './credentials.ts'
import { post } from './exchange.ts'
import type { Client } from './lent.ts'

// Milliseconds: the server forgets a challenge after five minutes.
const freshFor = 4 * 60_000
// What answers by itself and is refused would otherwise go on for ever.
const mostAnswers = 3

/**
 * Offers passkeys as the `data-passkey-autofill` field of the shown page is filled in. One that is chosen is sent by the
 * form's own button.
 */
export class Autofill {
  readonly #client: Client
  #field: HTMLInputElement | null = null
  #round = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #answers = 0
  #chosen: unknown

  constructor(client: Client) {
    this.#client = client
  }

  /** Begins on a page that has such a field, goes on while it is shown, and ends as it is left. */
  settle(): void {
    const field = document.querySelector<HTMLInputElement>('input[data-passkey-autofill]')
    if (field === this.#field) return
    this.#field = field
    this.#answers = 0
    this.start()
  }

  /** Offers them from now on, with a challenge of its own. */
  start(): void {
    this.#round.abort()
    this.#round = new AbortController()
    if (this.#answers < mostAnswers) this.#running = this.#offer(this.#round.signal)
  }

  /** Ends it, since no browser asks for two passkeys at once. */
  async stop(): Promise<void> {
    this.#round.abort()
    await this.#running
  }

  /** The passkey that the person has chosen just now, once. */
  take(): unknown {
    const chosen = this.#chosen
    this.#chosen = undefined
    return chosen
  }

  async #offer(signal: AbortSignal): Promise<void> {
    const field = this.#field
    const form = field?.form
    const button = form?.querySelector<HTMLElement>('[data-passkey="get"]')
    const options = button?.dataset.options
    if (!form || !options || !(await PublicKeyCredential.isConditionalMediationAvailable?.()))
      return
    const asked = await this.#client.inTurn(() => post(this.#client, options, {}))
    if (asked.result !== 'taken' || signal.aborted) return
    const timer = setTimeout(() => this.#renew(), freshFor)
    const made = await answerOf('get', asked.value, { signal, mediation: 'conditional' })
    clearTimeout(timer)
    if (made.result === 'made') {
      this.#answers += 1
      // What is sent begins again by itself when it is refused.
      if (!this.#send(form, button, made.credential)) this.start()
    }
    // The person would not, or this browser cannot after all: not before the field is pressed again.
    if (made.result === 'failed')
      field.addEventListener('pointerdown', () => this.start(), { once: true, signal })
  }

  /** Sends the button's form with a passkey; false if the form is in flight. */
  #send(form: HTMLFormElement, button: HTMLElement, credential: unknown): boolean {
    if (form.querySelector('[aria-busy="true"]')) return false
    this.#chosen = credential
    form.requestSubmit(button)
    return true
  }

  /** Asks for another challenge, in a tab that nobody looks at once it is looked at again. */
  #renew(): void {
    if (document.visibilityState === 'visible') return this.start()
    this.#round.abort()
    document.addEventListener('visibilitychange', () => this.start(), { once: true })
  }
}
