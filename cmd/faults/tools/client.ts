import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { browserId, password } from '../../../internal/testing/database/fill-database.ts'
import { appName } from '../../../web/contract/name.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface RequestParts {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Fields, encoded as by a browser. */
  readonly form?: Readonly<Record<string, string>>
  /** Any other body; its type is among the headers. */
  readonly body?: Buffer
  readonly agent?: Agent
}

// Milliseconds after which a request is given up if the server hangs.
const longestSilence = 100_000

/** Sends a request to a server of this machine. Rejects if the server ends before the whole answer. */
export function ask(port: number, path: string, parts: RequestParts = {}): Promise<Answer> {
  const { form, headers, agent } = parts
  const body = form ? new URLSearchParams(form).toString() : parts.body
  const { method = body === undefined ? 'GET' : 'POST' } = parts
  const type = form && { 'Content-Type': 'application/x-www-form-urlencoded' }
  const length = body !== undefined && { 'Content-Length': String(Buffer.byteLength(body)) }
  const options = {
    host: '127.0.0.1',
    port,
    path,
    method,
    headers: { ...type, ...length, ...headers },
    agent,
  }
  return new Promise((resolve, reject) => {
    const outgoing = request(options, (answer) => {
      let text = ''
      answer.setEncoding('utf8')
      answer.on('data', (part: string) => (text += part))
      answer.on('error', reject)
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: text }),
      )
    })
    outgoing.setTimeout(longestSilence, () =>
      outgoing.destroy(new Error(`${path} was not answered.`)),
    )
    outgoing.on('error', reject).end(body)
  })
}

/** A browser: its cookies, its address, and keep-alive connections. */
export class Visitor {
  /** The port of the server; it may change when the server is restarted. */
  port: number
  readonly #address: string
  // The browser that `fill` lets every user log in from, so that none is notified of a new one.
  readonly #cookies = new Map([[`${appName}_browser`, browserId]])
  readonly #agent = new Agent({ keepAlive: true })

  constructor({ port }: { readonly port: number }, address = nextAddress()) {
    this.port = port
    this.#address = address
  }

  /** Its Cookie header. */
  get cookie(): string {
    return [...this.#cookies].map((pair) => pair.join('=')).join('; ')
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    return this.ask(path, { headers })
  }

  post(path: string, form: Readonly<Record<string, string>>): Promise<Answer> {
    return this.ask(path, { form })
  }

  /** Creates an account, and is logged in with it; its email is not verified. */
  async register(email: string, name = 'Ann'): Promise<void> {
    const form = { name, email, password, password_confirmation: password }
    mustBe(303, await this.post('/register', form))
  }

  async logIn(email: string): Promise<void> {
    mustBe(303, await this.post('/login', { email, password }))
  }

  rename(name: string, email: string): Promise<Answer> {
    return this.post('/settings/profile', { _method: 'PATCH', name, email })
  }

  /** Sends any request with its cookies, and stores those of the answer. */
  async ask(path: string, parts: RequestParts): Promise<Answer> {
    const ownHeaders = { Cookie: this.cookie, 'X-Forwarded-For': this.#address }
    const headers = { ...ownHeaders, ...parts.headers }
    const answer = await ask(this.port, path, { agent: this.#agent, ...parts, headers })
    for (const cookie of answer.headers['set-cookie'] ?? []) this.#keep(cookie)
    return answer
  }

  /** Closes its connections. */
  leave(): void {
    this.#agent.destroy()
  }

  #keep(cookie: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    if (/;\s*Max-Age=0/i.test(cookie)) this.#cookies.delete(name)
    else this.#cookies.set(name, value)
  }
}

/** Returns the answer; throws if it has another status. */
export function mustBe(status: number, answer: Answer): Answer {
  if (answer.status === status) return answer
  throw new Error(
    `${appName} answered ${answer.status}, not ${status}: ${answer.body.slice(0, 500)}`,
  )
}

let addresses = 0

/** Returns a new address at each call, which has throttles of its own. */
export function nextAddress(): string {
  const n = ++addresses
  return `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
}
