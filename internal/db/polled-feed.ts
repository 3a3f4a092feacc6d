import { setImmediate as nextTurn } from 'node:timers/promises'
import { lifetimes } from '../base/lifetimes.ts'
import type { Broadcast } from './broadcasts.ts'
import type { Feed, Follower } from './feed.ts'

/** Where events are read one after the other. */
export interface Events {
  /** Has `next` tell of what is committed from then on. */
  begin(): Promise<void>
  /** What was committed since, some at a time; none when that was all. */
  next(): Promise<readonly Broadcast[]>
}

// Milliseconds: four times a second (spec: Broadcast events).
const readEvery = 250
/** Milliseconds from an event's being written to its commit: far longer than any transaction of ours. */
export const longestTransaction = 45_000
// Of those of several processes.
const clocksApart = 5000
// What is committed late is there for the rest of its life alone, and may be pruned before it was read.
const longestPause = lifetimes.event - longestTransaction - clocksApart

/** Reads on from what there was when it was made, until it is closed. */
export class PolledFeed implements Feed {
  readonly begun: Promise<void>
  readonly #events: Events
  readonly #follower: Follower
  readonly #timer = setInterval(() => void this.#read(), readEvery)
  readonly #hasBegun = Promise.withResolvers<void>()
  #isFirst = true
  #readAt = performance.now()
  #isReading = false
  #isAsked = false
  #isFailing = false
  #isClosed = false

  constructor(events: Events, follower: Follower) {
    this.#events = events
    this.#follower = follower
    this.begun = this.#hasBegun.promise
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

  /** Tells of what has been committed since. Asked while it reads, it reads once more. Never throws. */
  async #read(): Promise<void> {
    this.#isAsked = true
    if (this.#isReading) return
    this.#isReading = true
    while (this.#isAsked && !this.#isClosed) {
      this.#isAsked = false
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
      // Once for as long as it fails, and not four times a second.
      if (!this.#isFailing && !this.#isClosed) this.#follower.failed(error)
      this.#isFailing = true
    }
  }

  async #begin(): Promise<void> {
    await this.#events.begin()
    this.#isFirst = false
    this.#readAt = performance.now()
    this.#hasBegun.resolve()
  }

  async #goOn(): Promise<void> {
    const found = await this.#events.next()
    if (this.#isClosed) return
    const now = performance.now()
    if (now - this.#readAt > longestPause) this.#follower.missed()
    this.#readAt = now
    if (found.length === 0) return
    // There may be more of them: a read brings some at a time.
    this.#isAsked = true
    for (const event of found) this.#follower.told(event)
    // What was told goes out before more is: a stream that seems not to be read is ended.
    await nextTurn()
  }
}
