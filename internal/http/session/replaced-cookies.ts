import { gaveWayInDatabase, keepsGivenWay, longestWay } from '../../domain/logins/gave-way.ts'
import { isAnother } from './session-merge.ts'
import type { App } from '../../app.ts'
import type { Closing, Opened, SetCookie } from './session-store.ts'
import type { Session } from './session.ts'

/** What a cookie became: the session that an answer left, and the name of the cookie that it set; empty for none. */
interface Became {
  readonly session: Session
  readonly name: string
}

// Far more than are replaced in half a minute, which a form may take.
const most = 2_000

/**
 * The cookies that were replaced a moment ago, by a name: the text of one, or the ID in it. A request that came with one of
 * them before may have its answer only now (security rule 21). When a request came is told as `performance.now()` has it:
 * by a clock that was set back each one would have come before. Of what other servers on the database replaced, and of a
 * login whose session is not made yet, it is only known that a login was made, by the clock that they share.
 */
export class ReplacedCookies {
  readonly #app: App
  readonly #became = new Map<string, Became & { readonly at: number }>()

  constructor(app: App) {
    this.#app = app
  }

  note(name: string, became: Became): void {
    this.#became.delete(name)
    this.#became.set(name, { ...became, at: performance.now() })
    const [oldest] = this.#became.keys()
    if (oldest !== undefined && this.#became.size > most) this.#became.delete(oldest)
  }

  /**
   * What the session has become since a request came with this cookie; undefined when it is as it was. Who comes with it
   * later has not got another: that answer never reached the browser.
   */
  since(name: string, came: number): Session | undefined {
    const became = this.#became.get(name)
    if (!became || became.at <= came) return undefined
    return this.since(became.name, came) ?? became.session
  }

  /** Keeps what a request leaves of the session that it came with, unless that would end a login which is on its way. */
  keepUnlessGaveWay(
    opened: Opened,
    left: Session,
    { request, keep }: { request: Closing; keep: () => SetCookie | Promise<SetCookie> },
  ): SetCookie | Promise<SetCookie> {
    if (!mayEndLogin(opened.session, left)) return keep()
    const gaveWay = this.#gaveWay(nameOf(opened), opened.session, request)
    if (typeof gaveWay === 'boolean') return gaveWay ? undefined : keep()
    return gaveWay.then((isSo) => (isSo ? undefined : keep()))
  }

  /**
   * Whether the session of this cookie had given way to another login, or to one that waits for its code, so lately, as a
   * request came with it, that the browser may have sent the old one still, as with a form that is sent twice: it is not to
   * lose the login that is on its way.
   */
  #gaveWay(name: string, from: Session, request: Closing): boolean | Promise<boolean> {
    if (!name) return false
    if (this.#gaveWayHere(name, from, request.came)) return true
    if (!keepsGivenWay(this.#app)) return false
    const { began, log } = request
    return gaveWayInDatabase(this.#app, name, { began, log, isKnown: this.#became.has(name) })
  }

  #gaveWayHere(name: string, from: Session, came: number): boolean {
    const became = this.#became.get(name)
    if (!became || came - became.at > longestWay) return false
    return isEntered(from, became.session) || this.#gaveWayHere(became.name, from, came)
  }
}

/** Whether a session that is kept in the other's place would end a login that a request before may have made. */
function mayEndLogin(from: Session, to: Session): boolean {
  return !to.login && !isEntered(from, to)
}

/** What the cookie that a session came in is noted by; empty for none. */
export function nameOf({ id, gone, text = '' }: Opened): string {
  return id ?? gone ?? text
}

/** Whether a login was made between the two, or came to wait for its code. */
function isEntered(from: Session, to: Session): boolean {
  return isAnother(from, to) && (to.login !== undefined || to.waiting !== undefined)
}
