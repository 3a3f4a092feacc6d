import { offline as words } from '#words/client/offline'
import type { Page } from '../../contract/pages.ts'
import type { paths } from '../../contract/paths.ts'
import type { Client } from '../core/client-api.ts'
import type { Position } from '../core/history/entries.ts'
import { Notice } from './notice.ts'
import { tellUnheard } from './unheard.ts'

// The type ensures that it is right; importing the table itself would make other pages load one more file.
const up: (typeof paths)['up'] = '/up'
// Milliseconds between two attempts to reach the server, doubled after each.
const shortestPause = 2_000
const longestPause = 30_000
// Timeout of an attempt in milliseconds.
const patience = 10_000

let reach: ServerReach | undefined

/** Something that waits before it retries, and can be asked to retry at once when the server is back. */
interface Waiting {
  hurry(): void
}

/** Tells the person when the network is gone, and when it is back. Called once per page. */
export function followConnection(client: Client, waiting?: Waiting): void {
  if (!reach) tellUnheard(client)
  reach ??= new ServerReach(client)
  reach.waiting ??= waiting
  reach.settle()
}

/** Tracks whether the server is reachable, and tells the person. */
class ServerReach {
  waiting: Waiting | undefined
  readonly #client: Client
  readonly #notice: Notice
  /** Loads the page as a document, so that the browser shows its own error page. */
  readonly #load: () => void
  #isAway = false
  /** Whether a form without an answer may have reached the server. */
  #isUnsure = false
  #isPrepared = false
  #tries = 0
  #timer: number | undefined
  /** The scroll position of the page that the error page replaces. */
  #restored: Position | undefined

  constructor(client: Client) {
    this.#client = client
    this.#notice = new Notice(client)
    this.#load = client.unanswered.page
    client.unanswered.press = (ofForm = false) => {
      this.#isUnsure ||= ofForm && navigator.onLine
      this.#notice.say(client.words.gone, 'alert')
      this.#leave()
    }
    client.unanswered.page = (...how) => void this.#showLost(...how)
    const away = () => {
      // It was sent with a network.
      this.#isUnsure ||= client.typing.sent !== undefined
      this.#notice.say(words.away, 'status')
      this.#leave()
    }
    addEventListener('offline', away)
    addEventListener('online', () => void this.#ask())
    document.addEventListener('visibilitychange', () => void this.#askIfAway())
    if (!navigator.onLine) away()
  }

  /** Handles a newly drawn page: the server may have answered. */
  settle(): void {
    // The page shows the result of the form.
    this.#isUnsure = false
    void this.#askIfAway()
    // Preloads what draws the error page, which cannot be loaded when it is needed. Not for guests, nearly
    // all of whose pages are kept in the history.
    if (this.#isPrepared || !this.#client.shown().props.auth.user) return
    this.#isPrepared = true
    this.#client.prepare(this.#lost()).catch(() => (this.#isPrepared = false))
  }

  #leave(): void {
    this.#isAway = true
    this.#tries = 0
    this.#wait()
  }

  #wait(): void {
    clearTimeout(this.#timer)
    const pause = Math.min(shortestPause * 2 ** this.#tries++, longestPause)
    this.#timer = window.setTimeout(() => void this.#askIfAway(), pause)
  }

  async #askIfAway(): Promise<void> {
    // If the browser itself is offline, it dispatches `online` later.
    if (this.#isAway && navigator.onLine && document.visibilityState === 'visible')
      await this.#ask()
  }

  async #ask(): Promise<void> {
    clearTimeout(this.#timer)
    const answer = await this.#client.transfer({ method: 'GET', url: up, headers: {}, patience })
    // By its text: a captive portal may answer in place of the server.
    if (typeof answer !== 'string' && answer.responseText.startsWith('up')) this.#comeBack()
    else this.#wait()
  }

  #comeBack(): void {
    if (!this.#isAway) return
    this.#isAway = false
    clearTimeout(this.#timer)
    // A form still in flight may have its answer yet.
    const isUnsure = this.#isUnsure && this.#client.typing.sent === undefined
    this.#isUnsure = false
    this.#notice.end({ isUnsure })
    this.waiting?.hurry()
    const { shown, visit, reload } = this.#client
    if (isLost(shown())) void visit(location.href, { replace: true, restored: this.#restored })
    // The page may now show the form's effect, or be unavailable because the form has logged the person out.
    else if (isUnsure) void reload()
  }

  /** Shows an error page at the current address, whose own page cannot be loaded. */
  async #showLost(restored?: Position, isLoggedOut?: boolean): Promise<void> {
    const { prepare, show, present } = this.#client
    const signal = present()
    const page = this.#lost(isLoggedOut)
    try {
      await prepare(page)
    } catch {
      return this.#load()
    }
    if (signal.aborted) return
    this.#restored = restored
    this.#notice.drop()
    this.#leave()
    await show(page, { entry: 'same', at: 'top' })
  }

  #lost(isLoggedOut = false): Page<'Error'> {
    const { props, ...page } = this.#client.shown()
    const { language } = props
    const { auth, bell } = isLoggedOut ? { auth: { user: null }, bell: { unread: 0 } } : props
    const url = location.pathname + location.search
    const own = { status: 0, message: words.page, again: url }
    return {
      ...page,
      component: 'Error',
      url,
      props: { auth, bell, language, errors: {}, ...own },
      flash: {},
    }
  }
}

function isLost({ props }: Page): boolean {
  return 'status' in props && props.status === 0
}
