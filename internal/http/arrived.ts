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
import type { PourLimits, Taking } from './node/read-body.ts'
import { protocolOf, type Protocol } from './page/protocol.ts'

/** A request as it arrived, whatever carried it. */
export interface Incoming {
  readonly method: string
  /** Path and query as sent; starts with `/`. */
  readonly target: string
  /** A header's value by any spelling of its name; several of one name come joined. */
  readonly header: (name: string) => string | undefined
  /** The address of the other end of the connection. */
  readonly peer: string
  /** The body, at most `limit` bytes of it: more is a Refusal. */
  readonly read: (limit: number) => Promise<Uint8Array>
  /** Hands the body on as it comes, within limits: beyond them is a Refusal. */
  readonly pour: (into: Taking, limits: PourLimits) => Promise<void>
}

interface Sender {
  readonly user: number | undefined
  readonly token?: number
}

interface Known {
  readonly address: string
  readonly params?: Arrived['params']
  readonly unasked?: boolean
}

/** A request whose head has come: what is known of it before anybody is looked up. */
export abstract class Arrived {
  /** Names the request in the log, in its answer's X-Request-Id and on error pages. An ID that was sent is ignored. */
  readonly id = randomId()
  readonly app: App
  readonly incoming: Incoming
  readonly path: string
  /** With its question mark, or empty. */
  readonly search: string
  /** The client's address, behind trusted proxies too. */
  readonly address: string
  readonly protocol: Protocol | undefined
  /** The parts of the path that the route names. */
  readonly params: Readonly<Record<string, string>>
  /** Whether the route is never what a person asks for: a page or a program asks there by itself. */
  readonly unasked: boolean
  /** When its head had come, in milliseconds since 1970. */
  readonly began: number
  /**
   * When its head had come, by `performance.now()`, which nobody can set: it says which of two requests came first.
   * When the answer to a press is repeated, it becomes the time of that answer.
   */
  came = performance.now()
  /**
   * Whether the answer holds a lasting secret, and is not compressed: beside text that a stranger put into the URL, its
   * size would leak the secret (BREACH).
   */
  tellsSecret = false
  /** The ID of the earlier request of the same press whose answer is repeated; undefined for an answer of its own. */
  again: string | undefined

  readonly #hasRoute: boolean
  #browserId: string | undefined
  #nonce: string | undefined
  #inCookie: { readonly language: Language | undefined } | undefined
  #language: Language | undefined
  #log: Log | undefined

  constructor(app: App, incoming: Incoming, { address, params, unasked = false }: Known) {
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

  /** Whose request it is, by a login or by a token, as the log tells it. */
  abstract get sender(): Sender

  /** What the server says to whoever sent it. */
  abstract get words(): ServerWords

  /** The app's, with the request's ID in each line. */
  get log(): Log {
    return (this.#log ??= withFacts(this.app.log, { request: this.id }))
  }

  /** Lets work go on after the answer, as the app does; the line of a failure has the request's ID. */
  background(what: string, work: Promise<unknown>): void {
    this.app.background(what, work, { request: this.id })
  }

  /** Whether the person asks, and not a page by itself: only that restarts the span of a login. */
  get isVisit(): boolean {
    return !this.unasked && this.header('x-page-unasked') === undefined
  }

  /** Whether somebody sees a page in answer: nobody sees the error page for a missing picture or script. */
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
   * Path and query, with one slash in front: what follows two slashes a browser would take for a host. A `?` with nothing
   * after it is no query: `location.search`, by which the client tells whether a page is of its address, has none.
   */
  get url(): string {
    return this.path.replace(/^\/[/\\]+/, '/') + (this.search === '?' ? '' : this.search)
  }

  /** The CSP nonce for the scripts of this request's document, made on first use. */
  get nonce(): string {
    return (this.#nonce ??= randomText(16))
  }

  /** The nonce if a document was made with it; undefined when the answer has no scripts. */
  get nonceUsed(): string | undefined {
    return this.#nonce
  }

  /** Whether a script sent JSON outside the page protocol: it is answered with plain JSON. */
  get wantsJson(): boolean {
    const type = this.header('content-type')?.toLowerCase() ?? ''
    return !this.protocol && type.startsWith('application/json')
  }

  /** The browser that asks. Without an ID in its cookie it gets a new one, which it keeps once it logs in. */
  get browser(): Browser {
    // Node reads every byte of a header as a character of its own.
    const userAgent = Buffer.from(this.header('user-agent') ?? '', 'latin1').toString()
    this.#browserId ??= browserIdIn(this.app.config, this.header('cookie')) ?? randomId()
    return {
      id: this.#browserId,
      userAgent,
      address: this.address,
      language: this.browserLanguage,
    }
  }

  /** The language that was chosen in this browser. */
  get languageInCookie(): Language | undefined {
    this.#inCookie ??= { language: languageIn(this.app.config, this.header('cookie')) }
    return this.#inCookie.language
  }

  /** The language that was chosen in this browser, else one that the browser asks for. */
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

/** Answers requests of browsers, or calls of the API; `c` is what is known of the request. */
export type Answering<C extends Arrived> = (
  incoming: Incoming,
  address: string,
) => Promise<{ c: C; made: Answer }>

/** GET for a HEAD: only the sending differs. */
export function methodOf({ method }: Incoming): string {
  return method === 'HEAD' ? 'GET' : method
}

export function pathOf({ target }: Incoming): string {
  const mark = target.indexOf('?')
  return mark < 0 ? target : target.slice(0, mark)
}
