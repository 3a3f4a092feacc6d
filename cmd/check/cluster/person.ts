import { randomBytes } from 'node:crypto'
import {
  Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type RequestOptions,
} from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { paths } from '../../../web/contract/paths.ts'

const password = 'correct horse battery'
const userAgent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36'
// Milliseconds.
const longestAnswer = 15_000

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface RequestParts {
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>>
}

/** Records what a person sees, and gives them their mails. */
export interface Diary {
  /** Returns the link in the verification mail to an email; undefined before the mail has arrived. */
  verificationLink(email: string): string | undefined
  /** Called for each answered request, with its milliseconds. */
  onAnswer(ms: number): void
  /**
   * Called for an event, with the milliseconds from the answer to its cause until its arrival; Infinity if it was
   * late.
   */
  onEvent(ms: number): void
}

/** A person with a browser, who uses one address and knows nothing of the instances behind it. */
export class Person {
  readonly email: string
  readonly #port: number
  readonly #address: string
  readonly #diary: Diary
  readonly #cookies = new Map<string, string>()
  readonly #agent = new Agent({ keepAlive: true })

  constructor(port: number, number: number, diary: Diary) {
    this.email = `person${number}@example.com`
    // Each person has a different address, and so throttles of their own.
    this.#address = `10.0.${(number >> 8) & 255}.${number & 255}`
    this.#port = port
    this.#diary = diary
  }

  /** Creates an account, and leaves. */
  async register(): Promise<void> {
    const passwords = { password, password_confirmation: password }
    await this.#send(paths.register, { name: 'Ann', email: this.email, ...passwords })
    this.#agent.destroy()
  }

  /** Submits the register form, loses the answer, and submits it again over another connection: that must log in. */
  async registerTwice(): Promise<void> {
    const form = { name: 'Ann', email: this.email, password, password_confirmation: password }
    const headers = { 'X-Page-Press': randomBytes(32).toString('base64') }
    requireStatus(303, await this.#ask(paths.register, { form, headers }), paths.register)
    this.#agent.destroy()
    this.#cookies.clear()
    requireStatus(303, await this.#ask(paths.register, { form, headers }), paths.register)
    await this.#get(paths['profile.edit'], this.email)
    this.#agent.destroy()
  }

  /** Logs in to an existing account, and leaves. */
  async logInAgain(): Promise<void> {
    await this.#send(paths.login, { email: this.email, password })
    await this.#get(paths['profile.edit'], this.email)
    this.#agent.destroy()
  }

  /** Does everything an account is for, from creating to deleting it. Throws at the first unexpected answer. */
  async useAccount(): Promise<void> {
    try {
      const { email } = this
      const passwords = { password, password_confirmation: password }
      await this.#send(paths.register, { name: 'Ann', email, ...passwords })
      await this.#follow(await this.#mailedLink())
      await this.#get(paths.dashboard, 'Ann')
      await this.#send(paths['profile.update'], { _method: 'PATCH', name: 'Ann Bee', email })
      await this.#get(paths['profile.edit'], 'Ann Bee')
      await this.#makeToken()
      await this.#get(paths['notifications.index'], 'token')
      await this.#send(paths.logout, {})
      await this.#send(paths.login, { email, password })
      await this.#get(paths['security.edit'], 'Chrome on Linux')
      await this.#send(paths['profile.destroy'], { _method: 'DELETE', password })
      await this.#get(paths.login, 'email')
    } finally {
      this.#agent.destroy()
    }
  }

  async #mailedLink(): Promise<string> {
    const until = performance.now() + longestAnswer
    for (;;) {
      const link = this.#diary.verificationLink(this.email)
      if (link !== undefined) return link
      if (performance.now() > until) throw new Error(`No mail came to ${this.email}.`)
      await pause(20)
    }
  }

  async #follow(link: string): Promise<void> {
    const { pathname, search } = new URL(link)
    const answer = await this.#ask(pathname + search)
    requireStatus(303, answer, pathname)
  }

  /** Creates an API token, receives the event on the stream as pages do, and calls the API with it. */
  async #makeToken(): Promise<void> {
    const stream = await this.#listen()
    await this.#send(paths['tokens.store'], { name: 'Mine', abilities: 'user:read', expiry: '30' })
    const sent = performance.now()
    const { body } = await this.#get(paths['tokens.index'], 'Mine', { 'X-Page': 'true' })
    const token = /app_[a-z2-7]{52}/.exec(body)?.[0] ?? ''
    await this.#get(paths['api.user'], this.email, { Authorization: `Bearer ${token}` })
    const at = await stream.eventAt
    if (at !== undefined) this.#diary.onEvent(Math.max(0, at - sent))
  }

  /**
   * Opens the event stream. `eventAt` is the time of the first event, Infinity if none came in time, and undefined if
   * the stream ended with its instance.
   */
  #listen(): Promise<{ eventAt: Promise<number | undefined> }> {
    const { promise, resolve, reject } = Promise.withResolvers<{
      eventAt: Promise<number | undefined>
    }>()
    const outgoing = this.#request(paths.broadcasts, {}, (answer) => {
      if (answer.statusCode !== 200)
        reject(new Error(`The stream was answered with ${answer.statusCode}.`))
      const eventAt = new Promise<number | undefined>((resolveAt) => {
        answer.on('data', (part: Buffer) => {
          if (!String(part).includes('event: notification')) return
          resolveAt(performance.now())
          outgoing.destroy()
        })
        answer.on('error', () => resolveAt(undefined)).on('end', () => resolveAt(undefined))
        setTimeout(() => resolveAt(Infinity), longestAnswer).unref()
      })
      resolve({ eventAt })
    })
    outgoing.on('error', reject).end()
    return promise
  }

  async #send(path: string, form: Readonly<Record<string, string>>): Promise<void> {
    requireStatus(303, await this.#ask(path, { form }), path)
  }

  /** Throws if the answer does not contain the text. */
  async #get(path: string, text: string, headers = {}): Promise<Answer> {
    const answer = requireStatus(200, await this.#ask(path, { headers }), path)
    if (answer.body.includes(text)) return answer
    throw new Error(`${path} does not tell of "${text}": ${answer.body.slice(-1000)}`)
  }

  #ask(path: string, { headers, form }: RequestParts = {}): Promise<Answer> {
    const began = performance.now()
    const body = form && new URLSearchParams(form).toString()
    const formHeaders = body !== undefined && {
      'Content-Type': 'application/x-www-form-urlencoded',
      'Content-Length': String(Buffer.byteLength(body)),
    }
    return new Promise((resolve, reject) => {
      const options = {
        method: body === undefined ? 'GET' : 'POST',
        headers: { ...formHeaders, ...headers },
      }
      const outgoing = this.#request(path, options, (answer) => {
        let text = ''
        answer.setEncoding('utf8')
        answer.on('data', (part: string) => (text += part))
        answer.on('error', reject)
        answer.on('end', () => {
          for (const cookie of answer.headers['set-cookie'] ?? []) this.#keep(cookie)
          this.#diary.onAnswer(performance.now() - began)
          resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text })
        })
      })
      outgoing.setTimeout(longestAnswer, () =>
        outgoing.destroy(new Error(`${path} was not answered.`)),
      )
      outgoing.on('error', (error) => reject(new Error(`${path}: ${error.message}`))).end(body)
    })
  }

  #request(path: string, options: RequestOptions, onAnswer: (answer: IncomingMessage) => void) {
    const ownHeaders = {
      Cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; '),
      'User-Agent': userAgent,
      'X-Forwarded-For': this.#address,
    }
    const headers = { ...ownHeaders, ...(options.headers as object) }
    const target = { host: '127.0.0.1', port: this.#port, path, agent: this.#agent }
    return request({ ...target, ...options, headers }, onAnswer)
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (/;\s*Max-Age=0/i.test(cookie)) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

function requireStatus(status: number, answer: Answer, path: string): Answer {
  if (answer.status === status) return answer
  throw new Error(`${path} was answered with ${answer.status}: ${answer.body.slice(0, 500)}`)
}
