import type { App } from '../../app.ts'

/** A stream that sends heartbeats while it is idle. */
export interface Beating {
  beat(): void
  end(): void
}

const secondsApart = 25
// Fifteen minutes' worth: then the browser must reconnect, and its login is checked anew (security rule 20).
const mostBeats = (15 * 60) / secondsApart

/**
 * Sends heartbeats on streams every 25 s (contract: Events), and ends them after 15 minutes. One timer serves
 * all, each in the second of its own start, so that they are not all written to at once.
 */
class Heartbeats {
  readonly #slots = Array.from({ length: secondsApart }, () => new Map<Beating, number>())
  #now = 0
  #joined = 0
  #timer: NodeJS.Timeout | undefined

  /** Sends heartbeats on a stream until the returned function is called. */
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

export function heartbeatsOf(app: App): Heartbeats {
  const heartbeats = ofApps.get(app) ?? new Heartbeats()
  ofApps.set(app, heartbeats)
  return heartbeats
}
