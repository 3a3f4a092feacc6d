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
 * The session cookies that were replaced a moment ago, each by its name: its text, or the ID in it. A request that came
 * with one of them before it was replaced may be answered only now (security rule 21). Times are those of
 * `performance.now()`: by a clock that was set back, every request would have come before. Where another server
 * replaced a cookie, or the session of a login is not made yet, the database has only the time of the login, by the
 * clock that the servers share.
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
   * What the session has become since a request came with this cookie; undefined when nothing has replaced it. A
   * request that comes with it after it was replaced shows that the other cookie never reached the browser.
   */
  since(name: string, came: number): Session | undefined {
    const became = this.#became.get(name)
    if (!became || became.at <= came) return undefined
    return this.since(became.name, came) ?? became.session
  }

  /** Keeps what a request left of its session, unless that would end a login whose cookie is still on its way. */
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
   * Whether another login, or one that waits for its code, replaced this cookie less than `longestWay` before the
   * request came with it, or since. A browser that sends a form twice has not got the new cookie yet, and must not lose
   * it.
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

/** Whether keeping `to` in the place of `from` would end a login that an earlier request may have made. */
function mayEndLogin(from: Session, to: Session): boolean {
  return !to.login && !isEntered(from, to)
}

/** The name of the cookie that a session came in: the ID in it, or its text; empty for none. */
export function nameOf({ id, gone, text = '' }: Opened): string {
  return id ?? gone ?? text
}

/** Whether a login was made between the two, or came to wait for its code. */
function isEntered(from: Session, to: Session): boolean {
  return isAnother(from, to) && (to.login !== undefined || to.waiting !== undefined)
}
