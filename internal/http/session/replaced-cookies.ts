import type { Session } from './session.ts'

/** What a cookie became: the session that an answer left, and the text of the cookie that it set; empty for none. */
interface Became {
  readonly session: Session
  readonly text: string
  readonly at: number
}

// Far more than are replaced in half a minute, which a form may take.
const most = 2_000
// Milliseconds, of an answer on its way to the browser.
const longestWay = 3_000

/**
 * The cookies that were replaced a moment ago, by their text: a request that came with one of them before may have its
 * answer only now (security rule 21).
 */
export class ReplacedCookies {
  readonly #became = new Map<string, Became>()

  /** At a time in milliseconds since 1970. */
  note(text: string, became: Became): void {
    this.#became.delete(text)
    this.#became.set(text, became)
    const [oldest] = this.#became.keys()
    if (oldest !== undefined && this.#became.size > most) this.#became.delete(oldest)
  }

  /**
   * What the session has become since a request began that came with this cookie; undefined when it is as it was. Who comes
   * with it later has not got another: that answer never reached the browser.
   */
  since(text: string, began: number): Session | undefined {
    const became = this.#became.get(text)
    if (!became || became.at <= began) return undefined
    return this.since(became.text, began) ?? became.session
  }

  /**
   * Whether the session of this cookie gave way to another login so lately that the browser may be sending the old one
   * still, as with a form that is sent twice: it is not to lose the login that is on its way to it.
   */
  isByLogin(text: string, from: Session, at: number): boolean {
    const became = this.#became.get(text)
    if (!became || at - became.at > longestWay) return false
    const { login } = became.session
    return (login && login.id !== from.login?.id) || this.isByLogin(became.text, from, at)
  }
}
