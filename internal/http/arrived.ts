import { type Log, withFacts } from '../base/log.ts'
import { randomId, randomText } from '../base/crypto/random.ts'
import type { Answer } from './answer.ts'
import type { App } from '../app.ts'
import type { Browser } from '../domain/logins/make-login.ts'
import { browserIdIn } from './session/browser-cookie.ts'
import { languageIn } from './session/language-cookie.ts'
import { preferredLanguage } from '../base/network/accept-language.ts'
import { defaultLanguage, type Language, languageNames } from '../../web/contract/languages.ts'
import type { ServerWords } from '../../web/contract/words/server-words.ts'
import type { PourLimits, BodyConsumer } from './node/read-body.ts'
import { protocolOf, type Protocol } from './page/protocol.ts'

/** A request as it arrived, independent of the HTTP server. */
export interface Incoming {
  readonly method: string
  /** Path and query as sent; starts with `/`. */
  readonly target: string
  /** Returns a header's value by its name in any case; repeated headers come joined. */
  readonly header: (name: string) => string | undefined
  /** The remote address of the connection. */
  readonly peer: string
  /** Reads the body; more than `limit` bytes is a Refusal. */
  readonly read: (limit: number) => Promise<Uint8Array>
  /** Streams the body; exceeding the limits is a Refusal. */
  readonly pour: (consume: BodyConsumer, limits: PourLimits) => Promise<void>
}

interface Sender {
  readonly user: number | undefined
  readonly token?: number
}

interface ArrivedOptions {
  readonly address: string
  readonly params?: Arrived['params']
  readonly unasked?: boolean
}

/** A request whose head has arrived, before any session, user or token is looked up. */
export abstract class Arrived {
  /** The request's ID in the log, in X-Request-Id and on error pages. IDs that clients send are ignored. */
  readonly id = randomId()
  readonly app: App
  readonly incoming: Incoming
  readonly path: string
  /** With its question mark, or empty. */
  readonly search: string
  /** The client's address, even behind trusted proxies. */
  readonly address: string
  readonly protocol: Protocol | undefined
  /** The route's path parameters. */
  readonly params: Readonly<Record<string, string>>
  /** Whether the route is only requested by pages or programs on their own, never by a person. */
  readonly unasked: boolean
  /** When its head arrived, in milliseconds since 1970. */
  readonly began: number
  /**
   * When its head arrived, by `performance.now()`, a clock nobody can set: it orders requests. When the
   * answer to a press is repeated, it becomes the time of that answer.
   */
  arrivedAt = performance.now()
  /**
   * Whether the answer holds a long-lived secret and is not compressed: next to attacker-controlled text from
   * the URL, its compressed size would leak the secret (BREACH).
   */
  tellsSecret = false
  /** The ID of the earlier request of the same press whose answer is repeated; undefined for a new answer. */
  repeatOf: string | undefined

  readonly #hasRoute: boolean
  #browserId: string | undefined
  #nonce: string | undefined
  #inCookie: { readonly language: Language | undefined } | undefined
  #language: Language | undefined
  #log: Log | undefined

  constructor(app: App, incoming: Incoming, { address, params, unasked = false }: ArrivedOptions) {
    this.app = app
    this.incoming = incoming
    this.address = address
    this.began = app.now().getTime()
    this.params = params ?? {}
    this.#hasRoute = params !== undefined
    this.unasked = unasked
    this.path = pathOf(incoming)
    this.search = incoming.target.slice(this.path.length)
    this.protocol = protocolOf(incoming.header)
  }

  /** The user, and the API token if any, as logged. */
  abstract get sender(): Sender

  /** The server's words in the sender's language. */
  abstract get words(): ServerWords

  /** The app's log, with the request's ID in each line. */
  get log(): Log {
    return (this.#log ??= withFacts(this.app.log, { request: this.id }))
  }

  /** As `App.background`; a failure is logged with the request's ID. */
  background(what: string, work: Promise<unknown>): void {
    this.app.background(what, work, { request: this.id })
  }

  /** Whether a person makes the request, not a page on its own: only that extends a login. */
  get isVisit(): boolean {
    return !this.unasked && this.header('x-page-unasked') === undefined
  }

  /** Whether a person sees a page in answer: nobody sees the error page for a missing image or script. */
  get isShown(): boolean {
    if (this.protocol) return true
    const destination = this.header('sec-fetch-dest')
    if (destination !== undefined) return destination === 'document'
    return this.#hasRoute || /\btext\/html\b/.test(this.header('accept') ?? '')
  }

  get method(): string {
    return methodOf(this.incoming)
  }

  /**
   * Path and query, with a single leading slash: browsers take what follows two slashes for a host. A bare
   * `?` is dropped, as in `location.search`, by which the client checks that a page belongs to its address.
   */
  get url(): string {
    return this.path.replace(/^\/[/\\]+/, '/') + (this.search === '?' ? '' : this.search)
  }

  /** The CSP nonce for the scripts of this request's document, made on first use. */
  get nonce(): string {
    return (this.#nonce ??= randomText(16))
  }

  /** The nonce, if a document used it; undefined when the answer has no scripts. */
  get nonceUsed(): string | undefined {
    return this.#nonce
  }

  /** Whether a script sent JSON outside the page protocol and so gets plain JSON back. */
  get wantsJson(): boolean {
    const type = this.header('content-type')?.toLowerCase() ?? ''
    return !this.protocol && type.startsWith('application/json')
  }

  /** The requesting browser. Without an ID in its cookie it gets a new one, kept once it logs in. */
  get browser(): Browser {
    // Node decodes headers as Latin-1.
    const userAgent = Buffer.from(this.header('user-agent') ?? '', 'latin1').toString()
    this.#browserId ??= browserIdIn(this.app.config, this.header('cookie')) ?? randomId()
    return {
      id: this.#browserId,
      userAgent,
      address: this.address,
      language: this.browserLanguage,
    }
  }

  /** The language chosen in this browser. */
  get languageInCookie(): Language | undefined {
    this.#inCookie ??= { language: languageIn(this.app.config, this.header('cookie')) }
    return this.#inCookie.language
  }

  /** The language chosen in this browser, else the best match for its Accept-Language. */
  get browserLanguage(): Language {
    return (this.#language ??=
      this.languageInCookie ??
      preferredLanguage(this.header('accept-language'), languageNames) ??
      defaultLanguage)
  }

  header(name: string): string | undefined {
    return this.incoming.header(name)
  }
}

/** Answers requests from browsers or calls of the API; `c` is the request's context. */
export type Responder<C extends Arrived> = (
  incoming: Incoming,
  address: string,
) => Promise<{ c: C; answer: Answer }>

/** Returns GET for a HEAD: the two differ only in what is sent. */
export function methodOf({ method }: Incoming): string {
  return method === 'HEAD' ? 'GET' : method
}

export function pathOf({ target }: Incoming): string {
  const mark = target.indexOf('?')
  return mark < 0 ? target : target.slice(0, mark)
}
