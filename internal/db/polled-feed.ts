import { setImmediate as nextTurn } from 'node:timers/promises'
import { lifetimes } from '../base/lifetimes.ts'
import type { Broadcast } from './broadcasts.ts'
import type { Feed, Follower } from './feed.ts'

/** A source of events that is read in batches. */
export interface Events {
  /** Records where to begin: `next` returns the events committed from then on. */
  begin(): Promise<void>
  /** Returns the next batch of events committed since the last call; empty if there are no more. */
  next(): Promise<readonly Broadcast[]>
}

// Milliseconds: four times a second (spec: Broadcast events).
const readEvery = 250
/** Milliseconds from writing an event to its commit: far longer than any of our transactions takes. */
export const longestTransaction = 45_000
// Milliseconds by which the clocks of several processes may differ.
const clocksApart = 5000
// An event committed late is kept only for the rest of its lifetime. After a longer pause between two reads it may
// have been pruned unread.
const longestPause = lifetimes.event - longestTransaction - clocksApart

/** Passes the events committed after its creation to a follower, until it is closed. */
export class PolledFeed implements Feed {
  readonly started: Promise<void>
  readonly #events: Events
  readonly #follower: Follower
  readonly #timer = setInterval(() => void this.#read(), readEvery)
  readonly #hasBegun = Promise.withResolvers<void>()
  #isFirst = true
  #readAt = machineTime()
  #isReading = false
  #isReadDue = false
  #isFailing = false
  #isClosed = false

  constructor(events: Events, follower: Follower) {
    this.#events = events
    this.#follower = follower
    this.started = this.#hasBegun.promise
    void this.#read()
  }

  wake(): void {
    void this.#read()
  }

  close(): void {
    this.#isClosed = true
    clearInterval(this.#timer)
    this.#hasBegun.resolve()
  }

  /**
   * Passes on the events committed since the last read. If called during a read, another read follows. Never throws.
   */
  async #read(): Promise<void> {
    this.#isReadDue = true
    if (this.#isReading) return
    this.#isReading = true
    while (this.#isReadDue && !this.#isClosed) {
      this.#isReadDue = false
      await this.#readOnce()
    }
    this.#isReading = false
  }

  async #readOnce(): Promise<void> {
    try {
      if (this.#isFirst) await this.#begin()
      else await this.#goOn()
      this.#isFailing = false
    } catch (error) {
      // Reported once per outage, not four times a second.
      if (!this.#isFailing && !this.#isClosed) this.#follower.failed(error)
      this.#isFailing = true
    }
  }

  async #begin(): Promise<void> {
    await this.#events.begin()
    this.#isFirst = false
    this.#readAt = machineTime()
    this.#hasBegun.resolve()
  }

  async #goOn(): Promise<void> {
    const events = await this.#events.next()
    if (this.#isClosed) return
    const now = machineTime()
    if (between(this.#readAt, now) > longestPause) this.#follower.missed()
    this.#readAt = now
    if (events.length === 0) return
    // There may be more events: a read returns one batch.
    this.#isReadDue = true
    for (const event of events) this.#follower.received(event)
    // Lets these events go out before reading more: a stream whose reader seems stuck is ended.
    await nextTurn()
  }
}

/** A time, in milliseconds, by both clocks of this machine. */
interface MachineTime {
  readonly monotonic: number
  readonly ofDay: number
}

function machineTime(): MachineTime {
  return { monotonic: performance.now(), ofDay: Date.now() }
}

/** Returns the longer difference: one clock stands still while the machine sleeps, the other may be set back. */
function between(from: MachineTime, to: MachineTime): number {
  return Math.max(to.monotonic - from.monotonic, to.ofDay - from.ofDay)
}
