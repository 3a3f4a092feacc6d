import { offline as words } from '#words/offline'
import type { Page } from '../../contract/pages.ts'
import type { paths } from '../../contract/paths.ts'
import type { Client } from '../core/client-api.ts'
import type { Position } from '../core/entries.ts'
import { Notice } from './notice.ts'
import { tellUnheard } from './unheard.ts'

// Its type says that it is right; the table itself is in a file that other pages wait for.
const up: (typeof paths)['up'] = '/up'
// Milliseconds between two tries to reach the server: twice as long after each.
const shortestPause = 2_000
const longestPause = 30_000
// Milliseconds that a try may take.
const patience = 10_000

let reach: ServerReach | undefined

/** Something that waits before it tries again, and is told to try at once when the server is back. */
interface Waiting {
  hurry(): void
}

/** Tells the person when the network is gone, and when it is back. Called once for each page. */
export function followConnection(client: Client, waiting?: Waiting): void {
  if (!reach) tellUnheard(client)
  reach ??= new ServerReach(client)
  reach.waiting ??= waiting
  reach.settle()
}

/** Whether the server can be reached, and what the person is told of it. */
class ServerReach {
  waiting: Waiting | undefined
  readonly #client: Client
  readonly #notice: Notice
  /** Loads the page as a document, so that the browser shows its own error page. */
  readonly #load: () => void
  #isAway = false
  /** Whether a form was sent that had no answer, but may have reached the server. */
  #isUnsure = false
  #isPrepared = false
  #tries = 0
  #timer: number | undefined
  /** Where the page was scrolled to in whose place the error page is shown. */
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
      this.#notice.say(words.away, 'status')
      this.#leave()
    }
    addEventListener('offline', away)
    addEventListener('online', () => void this.#ask())
    document.addEventListener('visibilitychange', () => void this.#askIfAway())
    if (!navigator.onLine) away()
  }

  /** A page is shown: the server may have answered. */
  settle(): void {
    // The page shows what came of the press.
    this.#isUnsure = false
    void this.#askIfAway()
    // Loads what the error page is drawn with, since that cannot be loaded when it is needed. Not for a guest, whose
    // pages are nearly all kept in the history.
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
    // If the browser itself is offline, it sends `online` later.
    if (this.#isAway && navigator.onLine && document.visibilityState === 'visible')
      await this.#ask()
  }

  async #ask(): Promise<void> {
    clearTimeout(this.#timer)
    const answer = await this.#client.transfer({ method: 'GET', url: up, headers: {}, patience })
    // By its text: in place of the server a network may answer with a page of its own.
    if (typeof answer !== 'string' && answer.responseText.startsWith('up')) this.#comeBack()
    else this.#wait()
  }

  #comeBack(): void {
    if (!this.#isAway) return
    this.#isAway = false
    clearTimeout(this.#timer)
    const isUnsure = this.#isUnsure
    this.#isUnsure = false
    this.#notice.end({ isUnsure })
    this.waiting?.hurry()
    const { shown, visit, reload } = this.#client
    if (isLost(shown())) void visit(location.href, { replace: true, restored: this.#restored })
    // The page may show by now what the press has done, or be none for a person who has logged out by it.
    else if (isUnsure) void reload()
  }

  /** Shows an error page at the present address, whose own page cannot be had. */
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
