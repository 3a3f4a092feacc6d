import { EventEmitter } from 'node:events'
import { judgeMessage, recipientsOf, type Mailer, type Message } from '../base/mail.ts'
import { emailKey } from '../base/email.ts'

// Milliseconds (spec: Limits).
const longestWait = 5000
const quiet = 100

/** Stores what is sent, for a test to take mail by mail. */
export class Outbox implements Mailer {
  readonly #sent: Message[] = []
  readonly #taken = new Set<Message>()
  readonly #arrivals = new EventEmitter()
  #failures = 0

  /** All mails so far, including taken ones, in the order in which they were sent. */
  get mails(): readonly Message[] {
    return this.#sent
  }

  async send(message: Message, signal?: AbortSignal): Promise<void> {
    judgeMessage(message)
    signal?.throwIfAborted()
    if (this.#failures > 0) {
      this.#failures -= 1
      throw new Error('The outbox was told to fail.')
    }
    this.#sent.push(message)
    this.#arrivals.emit('mail')
  }

  /** Makes the next `count` mails fail. */
  failNext(count = 1): void {
    this.#failures = count
  }

  /** Takes the first mail not yet taken. Waits up to 5 seconds for it, and throws if there is none. */
  next(): Promise<Message> {
    return this.#take(() => true, 'No mail came.')
  }

  /** Takes the first mail to an address, in To, Cc or Bcc, like `next`. */
  nextTo(address: string): Promise<Message> {
    const isTo = (message: Message) =>
      recipientsOf(message).some((other) => emailKey(other) === emailKey(address))
    return this.#take(isTo, `No mail came to ${address}.`)
  }

  /** Waits for a mail to an address like `nextTo`, but does not take it. */
  async awaitMailTo(address: string): Promise<void> {
    const mail = await this.nextTo(address)
    this.#taken.delete(mail)
  }

  /** Throws if a mail has not been taken, or one arrives within 100 ms. */
  async expectNone(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, quiet))
    const waiting = this.#waiting()
    if (waiting.length > 0) throw new Error(`No mail was to come. ${listOf(waiting)}`)
  }

  async #take(matches: (message: Message) => boolean, failure: string): Promise<Message> {
    const deadline = performance.now() + longestWait
    let mail = this.#waiting().find(matches)
    while (!mail && performance.now() < deadline) {
      await this.#arrival(deadline - performance.now())
      mail = this.#waiting().find(matches)
    }
    if (!mail) throw new Error(`${failure} ${listOf(this.#waiting())}`)
    this.#taken.add(mail)
    return mail
  }

  #waiting(): Message[] {
    return this.#sent.filter((message) => !this.#taken.has(message))
  }

  #arrival(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      this.#arrivals.once('mail', () => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

function listOf(waiting: readonly Message[]): string {
  const mails = waiting.map((mail) => `“${mail.subject}” to ${recipientsOf(mail).join(', ')}`)
  return `Waiting: ${mails.join('; ') || 'none'}.`
}
