import type { Session } from './session.ts'

/** What a cookie became: the session that an answer left, and the text of the cookie that it set; empty for none. */
interface Became {
  readonly session: Session
  readonly text: string
  readonly at: number
}

// Far more than are replaced in half a minute, which a form may take.
const most = 2_000

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
}
