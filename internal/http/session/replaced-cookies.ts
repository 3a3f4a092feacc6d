import type { Session } from './session.ts'

/** What a cookie became: the session that an answer left, and the name of the cookie that it set; empty for none. */
interface Became {
  readonly session: Session
  readonly name: string
}

// Far more than are replaced in half a minute, which a form may take.
const most = 2_000
// Milliseconds, of an answer on its way to the browser.
const longestWay = 3_000

/**
 * The cookies that this process replaced a moment ago, by a name: the text of one, or the ID in it. A request that came
 * with one of them before may have its answer only now (security rule 21). When a request came is told as
 * `performance.now()` has it: by a clock that was set back each one would have come before.
 */
export class ReplacedCookies {
  readonly #became = new Map<string, Became & { readonly at: number }>()

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

  /**
   * Whether the session of this cookie had given way to another login so lately, as a request came with it, that the browser
   * may have sent the old one still, as with a form that is sent twice: it is not to lose the login that is on its way.
   */
  gaveWay(name: string, from: Session, came: number): boolean {
    const became = this.#became.get(name)
    if (!became || came - became.at > longestWay) return false
    const { login } = became.session
    return (login && login.id !== from.login?.id) || this.gaveWay(became.name, from, came)
  }
}
