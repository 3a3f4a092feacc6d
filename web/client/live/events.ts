import { eventNames } from '../../contract/event-names.ts'
import { eventSlack } from '../../contract/event-slack.ts'
import type { paths } from '../../contract/paths.ts'
import { noticeDead } from './dead-stream.ts'

// Its type says that it is right; the table itself is in a file that other pages wait for.
const address: (typeof paths)['broadcasts'] = '/broadcasts'

/** The initiators of requests for pages, by their names in Resource Timing. */
const askers = new Set(['navigation', 'xmlhttprequest'])
// Milliseconds: the server forgets events after a minute.
const longestAge = 50_000
// Milliseconds to wait after a failure: twice as long after each further one, and spread at random.
const shortestPause = 2_000
// The longest pause, by the kind of failure. `away`: nothing answers, or a proxy in place of the server, which
// will be back.
const longestPause = { refused: 5 * 60_000, away: 30_000 }
// Milliseconds that a stream has to be open before the failures before it are forgotten.
const lasting = 30_000

/**
 * The one connection of the page, open while its tab is shown and something on it listens (spec: Frontend). At each
 * event, and when the connection opens again after a loss, the page is asked for anew. If the page cannot be had, the
 * connection is given up too: it is opened again after a pause, and that asks for the page once more.
 */
export class Connection {
  readonly #reload: () => Promise<boolean>
  #source: EventSource | undefined
  #retry: number | undefined
  #failures = { refused: 0, away: 0 }
  #openedAt: number | undefined
  /** Whether events may have happened since the page was asked for that the connection will not tell of. */
  #hasMissed = false
  #renewing: Promise<boolean> | undefined
  #isAsked = false
  /** When something last happened, as far as is known. In milliseconds, comparable to a page's `answered`. */
  #changedAt = 0

  /** `reload`: resolves with whether the service has answered. */
  constructor(reload: () => Promise<boolean>) {
    this.#reload = reload
    addEventListener('online', () => this.hurry())
  }

  /** The network or the server is back: opens the connection at once, if it waits to be opened again. */
  hurry(): void {
    const isRefused = this.#source?.readyState === EventSource.CLOSED
    if (this.#retry === undefined && !isRefused) return
    clearTimeout(this.#retry)
    this.#open()
  }

  /** Opens or closes the connection, as the shown page and the tab need it now. */
  settle(): void {
    const isWanted = document.visibilityState === 'visible' && listeners().length > 0
    if (!isWanted) this.#close()
    else if (!this.#source && this.#retry === undefined) this.#open()
  }

  /** Asks anew for a page from history if something has happened since it was answered. */
  async catchUp(isFromBefore: (time: number) => boolean): Promise<void> {
    // A reload that is under way may be enough.
    await this.#renewing
    if (listeners().length > 0 && isFromBefore(this.#changedAt)) await this.#renew()
  }

  #open(): void {
    this.#retry = undefined
    const age = pageAge()
    if (age > longestAge) this.#hasMissed = true
    const source = new EventSource(this.#hasMissed ? address : `${address}?age=${age}`)
    this.#source = source
    noticeDead(source, () => this.#lose())
    const askedAt = performance.now()
    source.addEventListener('open', () => {
      this.#openedAt = performance.now()
      // Connecting took longer than the slack by which the server looks back further than the page's age.
      if (performance.now() - askedAt > eventSlack) this.#hasMissed = true
      if (this.#hasMissed) void this.#change()
      this.#hasMissed = false
    })
    source.addEventListener('error', () => {
      this.#note()
      if (source.readyState === EventSource.CLOSED) void this.#refused(source)
      // After the first failure the browser connects again by itself, when the server said. It would never give up.
      else if (this.#failures.away++ > 0) this.#wait('away')
    })
    for (const name of eventNames) {
      source.addEventListener(name, () => {
        if (listeners().includes(name)) void this.#change()
      })
    }
  }

  #close(): void {
    if (!this.#source && this.#retry === undefined) return
    this.#source?.close()
    this.#source = undefined
    this.#openedAt = undefined
    clearTimeout(this.#retry)
    this.#retry = undefined
    this.#failures = { refused: 0, away: 0 }
    this.#hasMissed = true
  }

  #note(): void {
    this.#hasMissed = true
    const opened = this.#openedAt
    if (opened !== undefined && performance.now() - opened > lasting)
      this.#failures = { refused: 0, away: 0 }
    this.#openedAt = undefined
  }

  /**
   * The stream was refused: there are too many, or the login has ended, which shows when the page is asked for. Or a
   * proxy has answered for a server that is away: then the page cannot be had either.
   */
  async #refused(source: EventSource): Promise<void> {
    const why = (await this.#change()) ? 'refused' : 'away'
    // The tab was left meanwhile.
    if (this.#source !== source) return
    this.#failures[why]++
    this.#wait(why)
  }

  #wait(why: keyof typeof longestPause): void {
    this.#source?.close()
    this.#source = undefined
    const pause = Math.min(shortestPause * 2 ** (this.#failures[why] - 1), longestPause[why])
    this.#retry = window.setTimeout(() => this.#open(), pause * (0.5 + Math.random()))
  }

  /** Something has happened: asks for the page anew, and later for those from history that were answered before. */
  #change(): Promise<boolean> {
    this.#changedAt = Date.now()
    return this.#renew()
  }

  /** Asks for the page anew; what happens meanwhile makes it ask once more. */
  #renew(): Promise<boolean> {
    this.#isAsked = true
    return (this.#renewing ??= this.#askAnew().finally(() => (this.#renewing = undefined)))
  }

  async #askAnew(): Promise<boolean> {
    let isServed = true
    while (this.#isAsked) {
      this.#isAsked = false
      // Whatever fails in a reload, the connection goes on.
      isServed = await this.#reload().catch(() => false)
    }
    if (!isServed) this.#miss()
    return isServed
  }

  #miss(): void {
    this.#hasMissed = true
    // A connection that is not open yet asks for the page when it opens.
    if (this.#openedAt !== undefined) this.#lose()
  }

  #lose(): void {
    this.#note()
    this.#failures.away++
    this.#wait('away')
  }
}

/** Milliseconds since the shown page was asked for: by the document, or by the client after it. */
function pageAge(): number {
  const entries = performance.getEntries() as PerformanceResourceTiming[]
  const request = entries.findLast((entry) => askers.has(entry.initiatorType))
  return Math.ceil(performance.now() - (request?.fetchStart ?? 0))
}

function listeners(): string[] {
  const elements = document.querySelectorAll<HTMLElement>('[data-listen]')
  return [...elements].flatMap(({ dataset }) => dataset.listen?.split(' ') ?? [])
}
