import { eventNames } from '../../contract/event-names.ts'
import type { Page } from '../../contract/pages.ts'
import { eventSlack } from '../../contract/event-slack.ts'
import type { paths } from '../../contract/paths.ts'
import type { Client } from '../core/client-api.ts'
import { noticeDead } from './dead-stream.ts'

// The type ensures that it is right; importing the table itself would make other pages load one more file.
const address: (typeof paths)['broadcasts'] = '/broadcasts'

// Milliseconds: the server forgets events after a minute.
const longestAge = 50_000
// Milliseconds to wait after a failure: doubled after each further one, with random jitter.
const shortestPause = 2_000
// The longest pause, by the kind of failure. `away`: no answer, or a proxy's in place of the server's.
const longestPause = { refused: 5 * 60_000, away: 30_000 }
// Milliseconds that a stream must be open before earlier failures are forgotten.
const lasting = 30_000

/**
 * The one event stream of a page, open while its tab is visible and something on the page listens (spec:
 * Frontend). Each event, and each reconnect after a loss, reloads the page. If that fails, the stream is
 * closed too, and reopened after a pause, which reloads the page again.
 */
export class Connection {
  readonly #shown: Client['shown']
  readonly #reload: () => Promise<boolean>
  #source: EventSource | undefined
  #retry: number | undefined
  #failures = { refused: 0, away: 0 }
  #openedAt: number | undefined
  /** Whether the page may have missed events that the stream will not deliver. */
  #hasMissed = false
  #renewing: Promise<boolean> | undefined
  #isAsked = false
  /** When something last changed, as far as known. In milliseconds, comparable to a page's `answered`. */
  #changedAt = 0
  readonly #startedAhead = timeAhead()

  /** `shown`: returns the current page; `reload`: resolves with whether the service has answered. */
  constructor(shown: Client['shown'], reload: () => Promise<boolean>) {
    this.#shown = shown
    this.#reload = reload
    addEventListener('online', () => this.hurry())
  }

  /** Reconnects at once if the stream waits to: network or server are back. */
  hurry(): void {
    const isRefused = this.#source?.readyState === EventSource.CLOSED
    if (this.#retry === undefined && !isRefused) return
    clearTimeout(this.#retry)
    this.#open()
  }

  /** Opens or closes the stream, as the current page and tab require. */
  settle(): void {
    const isWanted = document.visibilityState === 'visible' && listeners().length > 0
    if (!isWanted) this.#close()
    else if (!this.#source && this.#retry === undefined) this.#open()
  }

  /** Reloads a page from history if something has changed since it was answered. */
  async catchUp(isFromBefore: (time: number) => boolean): Promise<void> {
    // A reload under way may be enough.
    await this.#renewing
    this.noteChange(this.#changedAt)
    if (listeners().length > 0 && isFromBefore(this.#changedAt)) await this.#renew()
  }

  /**
   * Records that something may have changed at a time, without reloading the current page. Never later than
   * now: once the clock was set back, a page would be reloaded again and again.
   */
  noteChange(at: number): void {
    this.#changedAt = Math.min(Math.max(this.#changedAt, at), Date.now())
  }

  #open(): void {
    this.#retry = undefined
    const age = pageAge(this.#shown()) + sleptSince(this.#startedAhead)
    if (age > longestAge) this.#hasMissed = true
    const source = new EventSource(this.#hasMissed ? address : `${address}?age=${age}`)
    this.#source = source
    noticeDead(source, () => this.#lose())
    const [askedAt, askedAhead] = [performance.now(), timeAhead()]
    source.addEventListener('open', () => {
      this.#openedAt = performance.now()
      // Connecting took longer than the slack by which the server looks back beyond the page's age.
      if (performance.now() - askedAt + sleptSince(askedAhead) > eventSlack) this.#hasMissed = true
      if (this.#hasMissed) void this.#change()
      this.#hasMissed = false
    })
    source.addEventListener('error', () => {
      this.#note()
      if (source.readyState === EventSource.CLOSED) void this.#refused(source)
      // The browser reconnects by itself after the first failure, when the server said; it would never stop.
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
   * Handles a refused stream: there are too many, or the login has ended, which the reload shows. Or a proxy
   * has answered for an unreachable server: then the reload fails too.
   */
  async #refused(source: EventSource): Promise<void> {
    const why = (await this.#change()) ? 'refused' : 'away'
    // The tab was hidden meanwhile.
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

  /** Handles a change: reloads the page now, and older pages from history once they are shown. */
  #change(): Promise<boolean> {
    this.#changedAt = Date.now()
    return this.#renew()
  }

  /** Reloads the page; a change meanwhile makes it reload once more. */
  #renew(): Promise<boolean> {
    this.#isAsked = true
    return (this.#renewing ??= this.#askAnew().finally(() => (this.#renewing = undefined)))
  }

  async #askAnew(): Promise<boolean> {
    let isServed = true
    while (this.#isAsked) {
      this.#isAsked = false
      // Whatever fails in a reload, the stream goes on.
      isServed = await this.#reload().catch(() => false)
    }
    if (!isServed) this.#miss()
    return isServed
  }

  #miss(): void {
    this.#hasMissed = true
    // A stream that is not open yet reloads the page when it opens.
    if (this.#openedAt !== undefined) this.#lose()
  }

  #lose(): void {
    this.#note()
    this.#failures.away++
    this.#wait('away')
  }
}

/** Milliseconds since a page was requested, by the document or by the client. Too long rather than too short. */
function pageAge({ answered }: Page): number {
  const now = performance.now()
  if (answered === undefined) return Math.ceil(now)
  const answeredAt = answered - timeAhead()
  const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
  // Others that ended before or after it asked for no page, such as whether the server is back, or validated a field.
  const request = entries
    .filter(
      ({ initiatorType: by, responseEnd }) =>
        by === 'xmlhttprequest' && responseEnd <= answeredAt + 1,
    )
    .toSorted((one, other) => one.responseEnd - other.responseEnd)
    .at(-1)
  // A page from the history may be older than the document.
  return Math.ceil(now - Math.min(request?.fetchStart ?? 0, answeredAt))
}

/** Milliseconds by which the time of day is ahead of `performance.now()`. */
function timeAhead(): number {
  return Date.now() - performance.now()
}

/** Milliseconds that the computer slept, if `performance.now()` stood still: it does on some systems. */
function sleptSince(ahead: number): number {
  return Math.max(0, Math.ceil(timeAhead() - ahead))
}

function listeners(): string[] {
  const elements = document.querySelectorAll<HTMLElement>('[data-listen]')
  return [...elements].flatMap(({ dataset }) => dataset.listen?.split(' ') ?? [])
}
