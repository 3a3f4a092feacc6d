import type { App } from '../../app.ts'

/** A stream that shows it is alive while it has nothing else to say. */
export interface Beating {
  beat(): void
  end(): void
}

const secondsApart = 25
// Those of fifteen minutes: then the browser has to ask again, and its login is checked anew (security rule 20).
const mostBeats = (15 * 60) / secondsApart

/**
 * Has streams beat every 25 s (contract: Events) and end after 15 minutes. One timer does it for all of them, each
 * in the second of its own beginning, so that they are not all written to at once.
 */
class Heartbeats {
  readonly #slots = Array.from({ length: secondsApart }, () => new Map<Beating, number>())
  #now = 0
  #joined = 0
  #timer: NodeJS.Timeout | undefined

  /** Has a stream beat until the returned function is called. */
  join(stream: Beating): () => void {
    const slot = this.#slots[this.#now]
    slot?.set(stream, 0)
    this.#joined++
    this.#timer ??= setInterval(() => this.#tick(), 1000)
    return () => this.#leave(stream, slot)
  }

  #leave(stream: Beating, slot: Map<Beating, number> | undefined): void {
    if (!slot?.delete(stream) || --this.#joined > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  #tick(): void {
    this.#now = (this.#now + 1) % secondsApart
    const slot = this.#slots[this.#now]
    for (const [stream, beats] of slot ?? []) {
      slot?.set(stream, beats + 1)
      if (beats + 1 < mostBeats) stream.beat()
      else stream.end()
    }
  }
}

const ofApps = new WeakMap<App, Heartbeats>()

/** The heartbeats of an app. */
export function heartbeatsOf(app: App): Heartbeats {
  const there = ofApps.get(app) ?? new Heartbeats()
  ofApps.set(app, there)
  return there
}
