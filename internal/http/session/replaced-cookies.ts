import { gaveWayInDatabase, keepsGivenWay, longestWay } from '../../domain/logins/gave-way.ts'
import { isAnother } from './session-merge.ts'
import type { App } from '../../app.ts'
import type { Closing, Opened, SetCookie } from './session-store.ts'
import type { Session } from './session.ts'

/** A cookie's successor: the session an answer left, and the name of the cookie it set; empty for none. */
interface Became {
  readonly session: Session
  readonly name: string
}

// Far more than are replaced in half a minute, the longest that a form may take.
const most = 2_000

/**
 * Recently replaced session cookies by name: their text, or the ID in it. A request sent with one of them
 * before it was replaced may be answered only now (security rule 21). Times are from `performance.now()`: on
 * a clock set back, every request would seem earlier. If another server replaced a cookie, or a login's
 * session is not saved yet, the database knows only the time of the login, by the servers' shared clock.
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
   * Returns what the session became since a request arrived with this cookie; undefined if it was not
   * replaced. A request that brings it after that shows that the new cookie never reached the browser.
   */
  since(name: string, came: number): Session | undefined {
    const became = this.#became.get(name)
    if (!became || became.at <= came) return undefined
    return this.since(became.name, came) ?? became.session
  }

  /** Saves the session as a request left it, unless that ends a login whose cookie is still on its way. */
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
   * Whether another login, or one waiting for its code, replaced this cookie less than `longestWay` before
   * the request arrived, or since. A browser that sends a form twice does not have the new cookie yet, and
   * must not lose it.
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

/** Whether replacing `from` with `to` would end a login that an earlier request may have made. */
function mayEndLogin(from: Session, to: Session): boolean {
  return !to.login && !isEntered(from, to)
}

/** Returns the name of a session's cookie: the ID in it, or its text; empty for none. */
export function nameOf({ id, gone, text = '' }: Opened): string {
  return id ?? gone ?? text
}

/** Whether a login was made, or began to wait for its code, between the two. */
function isEntered(from: Session, to: Session): boolean {
  return isAnother(from, to) && (to.login !== undefined || to.waiting !== undefined)
}
