import { type Log, withFacts } from '../base/log.ts'
import { random, randomId } from '../base/crypto/random.ts'
import type { App } from '../app.ts'
import type { Visitor } from '../domain/logins/find-user.ts'
import type { Browser } from '../domain/logins/make-login.ts'
import type { Caller } from '../domain/tokens/check-token.ts'
import { browserIdIn } from './session/browser-cookie.ts'
import type { Fields } from './body/fields.ts'
import type { PourLimits, Taking } from './node/read-body.ts'
import { protocolOf, type Protocol } from './page/protocol.ts'
import type { Opened } from './session/session-store.ts'
import { emptySession, type Session } from './session/session.ts'

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

/** The request of somebody who is logged in: what the handler of a route for users is given. */
export type UserContext = Context & { readonly visitor: Visitor }

/** A request under way: what a guard and a handler are given. */
export class Context {
  /** Names the request in the log, in its answer's X-Request-Id and on the page of an error. One that came is not read. */
  readonly id = randomId()
  readonly app: App
  readonly incoming: Incoming
  readonly path: string
  /** With its question mark, or empty. */
  readonly search: string
  /** The client's address, behind trusted proxies too. */
  readonly address: string
  readonly protocol: Protocol | undefined
  /** When its head had come, in milliseconds since 1970. */
  readonly began: number
  session: Session = emptySession
  /** The session as it came; undefined when nobody asked for it, or it could not be read. */
  opened: Opened | undefined
  /** Of the form that came, once it is read. */
  fields: Fields | undefined
  /** The parts of the path that the route names. */
  params: Readonly<Record<string, string>> = {}
  /** The page that the form is on; undefined when it is of none, or is no form. */
  ownPage: string | undefined
  /** Whether a page asks by itself, and not the person. */
  unasked = false
  /** Whether another request may have been first: the cookie of its answer must not be taken back by this one's. */
  keepsCookie = false
  visitor: Visitor | undefined
  /** Whose token a request of the API came with, once it is counted. */
  caller: Caller | undefined
  /** Why the user could not be looked up; the page is then shown as for a guest, unless it is for users. */
  failure: unknown

  #browserId: string | undefined
  #nonce: string | undefined
  #log: Log | undefined

  constructor(app: App, incoming: Incoming, address: string) {
    this.app = app
    this.incoming = incoming
    this.address = address
    this.began = app.now().getTime()
    const mark = incoming.target.indexOf('?')
    this.path = mark < 0 ? incoming.target : incoming.target.slice(0, mark)
    this.search = mark < 0 ? '' : incoming.target.slice(mark)
    this.protocol = protocolOf(incoming.header)
  }

  /** The app's, with the request's ID in each line. */
  get log(): Log {
    return (this.#log ??= withFacts(this.app.log, { request: this.id }))
  }

  /** Whether the person asks. What a page asks for by itself, or says that it does, restarts no login's span. */
  get isVisit(): boolean {
    return !this.unasked && this.header('x-page-unasked') === undefined
  }

  /** GET for a HEAD: only the sending differs. */
  get method(): string {
    return this.incoming.method === 'HEAD' ? 'GET' : this.incoming.method
  }

  get url(): string {
    return this.path + this.search
  }

  /** Of the scripts on this request's document. */
  get nonce(): string {
    return (this.#nonce ??= random(16).toString('base64'))
  }

  /** The nonce if a document was made with it, undefined when the answer has no scripts. */
  get nonceUsed(): string | undefined {
    return this.#nonce
  }

  /** Whether the request is neither a page's nor a form's, and is answered with plain JSON. */
  get wantsJson(): boolean {
    const type = this.header('content-type')?.toLowerCase() ?? ''
    return !this.protocol && type.startsWith('application/json')
  }

  /** One that has no ID yet has a new one, which becomes its own with a login. */
  get browser(): Browser {
    // Node reads every byte of a header as a character of its own.
    const userAgent = Buffer.from(this.header('user-agent') ?? '', 'latin1').toString()
    this.#browserId ??= browserIdIn(this.app.config, this.header('cookie')) ?? randomId()
    return { id: this.#browserId, userAgent, address: this.address }
  }

  header(name: string): string | undefined {
    return this.incoming.header(name)
  }
}
