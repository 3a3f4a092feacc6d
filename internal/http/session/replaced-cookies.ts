import {
  isReplacedInDatabase,
  recordsReplacedCookies,
  longestDelivery,
} from '../../domain/logins/replaced-by-login.ts'
import { isAnother } from './session-merge.ts'
import type { App } from '../../app.ts'
import type { ClosingRequest, Opened, SetCookie } from './session-store.ts'
import type { Session } from './session.ts'

/** A cookie's successor: the session an answer left, and the name of the cookie it set; empty for none. */
interface Successor {
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
  readonly #successors = new Map<string, Successor & { readonly at: number }>()

  constructor(app: App) {
    this.#app = app
  }

  record(name: string, successor: Successor): void {
    this.#successors.delete(name)
    this.#successors.set(name, { ...successor, at: performance.now() })
    const [oldest] = this.#successors.keys()
    if (oldest !== undefined && this.#successors.size > most) this.#successors.delete(oldest)
  }

  /**
   * Returns what the session became since a request arrived with this cookie; undefined if it was not
   * replaced. A request that brings it after that shows that the new cookie never reached the browser.
   */
  successorSince(name: string, arrivedAt: number): Session | undefined {
    const successor = this.#successors.get(name)
    if (!successor || successor.at <= arrivedAt) return undefined
    return this.successorSince(successor.name, arrivedAt) ?? successor.session
  }

  /** Saves the session as a request left it, unless that ends a login whose cookie is still on its way. */
  saveUnlessReplaced(
    opened: Opened,
    session: Session,
    { request, save }: { request: ClosingRequest; save: () => SetCookie | Promise<SetCookie> },
  ): SetCookie | Promise<SetCookie> {
    if (!mayEndLogin(opened.session, session)) return save()
    const isReplaced = this.#isReplaced(nameOf(opened), opened.session, request)
    if (typeof isReplaced === 'boolean') return isReplaced ? undefined : save()
    return isReplaced.then((isSo) => (isSo ? undefined : save()))
  }

  /**
   * Whether another login, or one waiting for its code, replaced this cookie less than `longestDelivery` before
   * the request arrived, or since. A browser that sends a form twice does not have the new cookie yet, and
   * must not lose it.
   */
  #isReplaced(name: string, from: Session, request: ClosingRequest): boolean | Promise<boolean> {
    if (!name) return false
    if (this.#isReplacedHere(name, from, request.arrivedAt)) return true
    if (!recordsReplacedCookies(this.#app)) return false
    const { began, log } = request
    return isReplacedInDatabase(this.#app, name, {
      began,
      log,
      isKnown: this.#successors.has(name),
    })
  }

  #isReplacedHere(name: string, from: Session, arrivedAt: number): boolean {
    const successor = this.#successors.get(name)
    if (!successor || arrivedAt - successor.at > longestDelivery) return false
    return (
      isEntered(from, successor.session) || this.#isReplacedHere(successor.name, from, arrivedAt)
    )
  }
}

/** Whether replacing `from` with `to` would end a login that an earlier request may have made. */
function mayEndLogin(from: Session, to: Session): boolean {
  return !to.login && !isEntered(from, to)
}

/** Returns the name of a session's cookie: the ID in it, or its text; empty for none. */
export function nameOf({ id, deletedId, text = '' }: Opened): string {
  return id ?? deletedId ?? text
}

/** Whether a login was made, or began to wait for its code, between the two. */
function isEntered(from: Session, to: Session): boolean {
  return isAnother(from, to) && (to.login !== undefined || to.waiting !== undefined)
}
