import type { Made } from './credentials.ts'
import type { PasskeyClient } from './exchange.ts'

// Milliseconds: the server forgets a challenge after five minutes.
const freshFor = 4 * 60_000
const between = 5_000
// Otherwise an authenticator that answers by itself, and is refused each time, would loop forever.
const mostAnswers = 3

/** Offers passkeys in the autofill of a field. The form's own button sends the chosen passkey. */
export class Autofill {
  readonly #client: PasskeyClient
  #field: HTMLInputElement | undefined
  #round = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #isOffering = false
  #answers = 0
  #chosen: unknown

  constructor(client: PasskeyClient) {
    this.#client = client
  }

  /** Starts an offer for a field that the person uses; again if the previous offer has ended. */
  come(field: HTMLInputElement): void {
    const isOffered = field === this.#field && this.#isOffering
    // Not while the form is in flight: its button may be asking for a passkey, and only one can ask.
    if (isOffered || isInFlight(field.form)) return
    if (field !== this.#field) this.#answers = 0
    this.#field = field
    this.start()
  }

  /** Starts an offer with a new challenge; does nothing without a field, or if the field is gone. */
  start(): void {
    this.#round.abort()
    this.#round = new AbortController()
    if (!this.#field?.isConnected || this.#answers >= mostAnswers) return
    this.#isOffering = true
    this.#running = this.#offer(this.#field, this.#round.signal)
  }

  /** Aborts the offer once the page of the field was left. */
  settle(): void {
    if (!this.#field?.isConnected) this.#round.abort()
  }

  /** Aborts the offer so that the button can ask for a passkey; resolves once it has ended. */
  async stop(): Promise<void> {
    this.#isOffering = false
    this.#round.abort()
    await this.#running
  }

  /** Returns the passkey just chosen, once. */
  take(): unknown {
    const chosen = this.#chosen
    this.#chosen = undefined
    return chosen
  }

  async #offer({ form }: HTMLInputElement, signal: AbortSignal): Promise<void> {
    const button = form?.querySelector<HTMLElement>('[data-passkey="get"]')
    const options = button?.dataset.options
    const made = options && (await this.#answer(options, signal))
    if (signal.aborted) return
    this.#isOffering = false
    if (!form || !made || made.result !== 'made') return
    this.#answers += 1
    // After a form that was sent and refused, `send` starts the next offer.
    if (!this.#send(form, button, made.credential)) this.start()
  }

  /** Returns the person's answer; undefined if no passkey could be offered. */
  async #answer(options: string, signal: AbortSignal): Promise<Made | undefined> {
    const { post, present, answerOf, inTurn, visit } = this.#client
    if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) return undefined
    // Nobody asked for this request: it is aborted as soon as the person goes elsewhere.
    const offered = AbortSignal.any([signal, present()])
    const optionsAnswer = await inTurn(() => post(this.#client, options, { signal: offered }))
    if (signal.aborted) return undefined
    // The person has logged in in another tab.
    if (optionsAnswer.result === 'leads') await visit(optionsAnswer.to)
    if (optionsAnswer.result !== 'taken') return undefined
    const watch = onceOld(() => this.#renew())
    const made = await answerOf('get', optionsAnswer.value, { signal, mediation: 'conditional' })
    clearInterval(watch)
    return made
  }

  /** Submits the form with a passkey; returns false if the form is in flight. */
  #send(form: HTMLFormElement, button: HTMLElement, credential: unknown): boolean {
    if (isInFlight(form)) return false
    this.#chosen = credential
    form.requestSubmit(button)
    return true
  }

  /** Restarts with a new challenge; in a hidden tab once it is visible again. */
  #renew(): void {
    if (document.visibilityState === 'visible') return this.start()
    this.#round.abort()
    document.addEventListener('visibilitychange', () => this.start(), { once: true })
  }
}

/**
 * Calls `renew` once a challenge is old. By the time of day too: on some systems timers stand still while the
 * computer sleeps. Returns the timer.
 */
function onceOld(renew: () => void): ReturnType<typeof setInterval> {
  const madeAt = Date.now()
  let left = freshFor
  const watch = setInterval(() => {
    left -= between
    if (left > 0 && Date.now() - madeAt < freshFor) return
    clearInterval(watch)
    renew()
  }, between)
  return watch
}

function isInFlight(form: HTMLFormElement | null): boolean {
  return Boolean(form?.querySelector('[aria-busy="true"]'))
}
